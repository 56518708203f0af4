import { describe } from "vitest";
import * as z from "zod";
import { type TestGuest, testGuest } from "../../../../support/guest.ts";
import { refusal } from "../../../../support/hub-api.ts";
import { type Breakage, type GuestFixture, guestContract } from "../contract.ts";

const answers: Record<Breakage, () => Response> = {
  "is silent": () => {
    throw new TypeError("fetch failed");
  },
  "is not able to": () => refusal(503, "ServiceUnavailable", "no"),
  "refuses our credentials": () => refusal(401, "Unauthorized", "no"),
  "is restarted": () => refusal(500, "InternalError", "etcd has no leader"),
};

const serviceStatus = z.object({
  loadBalancer: z.object({ ingress: z.array(z.object({ ip: z.string() })) }),
});

/** A hosted cluster behind its Kubernetes API. */
function kubernetesGuest(guest: TestGuest = testGuest()): GuestFixture {
  const { cluster } = guest;
  return {
    guest: guest.client,
    clock: guest.clock,
    join: guest.join,
    contents: () => cluster.kinds.all.flatMap((kind) => cluster.store.list(kind)),
    routerAddress: () => {
      const service = cluster.get("Service", "openshift-ingress", "external-ingress");
      return serviceStatus.safeParse(service?.status).data?.loadBalancer.ingress[0]?.ip;
    },
    breaks: (how) => {
      guest.intercept = () => (how === undefined ? undefined : answers[how]());
    },
    reopen: async () => {
      await guest.client.close();
      return kubernetesGuest(guest.reopen());
    },
    close: () => guest.stop(),
  };
}

describe("a hosted cluster behind its Kubernetes API keeps the contract", () => {
  guestContract(() => kubernetesGuest());
});
