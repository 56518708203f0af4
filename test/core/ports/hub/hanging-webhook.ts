import { createServer, type Server } from "node:net";
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import * as z from "zod";
import { NotNow } from "../../../../core/ports/kubernetes/not-now.ts";
import { eventually } from "../../../support/eventually.ts";
import { failureOf } from "../../../support/failure.ts";
import { network, prefixes } from "../network/contract.ts";
import type { kubernetesHub } from "./fixture.ts";

type Fixture = Awaited<ReturnType<typeof kubernetesHub>>;

/** Has the hub ask a webhook about writes of a kind: it takes connections, and never says anything. */
export function installWebhook(
  { simulated }: Pick<Fixture, "simulated">,
  webhook: { failurePolicy: "Ignore" | "Fail"; timeoutSeconds: number; port?: number },
  about = { group: "", plural: "namespaces" },
): void {
  const { port = 443, ...rest } = webhook;
  simulated.cluster.apply(
    {
      apiVersion: "admissionregistration.k8s.io/v1",
      kind: "ValidatingWebhookConfiguration",
      metadata: { name: "slipway-test" },
      webhooks: [
        {
          ...{ name: "a.example.com", ...rest, sideEffects: "None" },
          clientConfig: { url: `https://127.0.0.1:${port}/` },
          admissionReviewVersions: ["v1"],
          rules: [
            {
              ...{ apiGroups: [about.group], apiVersions: ["*"], resources: [about.plural] },
              operations: ["CREATE", "UPDATE"],
            },
          ],
        },
      ],
    },
    { fieldManager: "administrator", force: true },
  );
}

/** What an API server does about a webhook that hangs, and what a hub's adapter makes of it. */
export function hangingWebhookContract(open: () => Promise<Fixture>): void {
  let at: Fixture;
  let silent: Server;
  let port: number;
  beforeAll(async () => {
    silent = createServer(() => {});
    await new Promise<void>((resolve) => silent.listen(0, "127.0.0.1", resolve));
    ({ port } = z.object({ port: z.number() }).parse(silent.address()));
  });
  beforeEach(async () => {
    at = await open();
  });
  afterEach(() => at.close());
  afterAll(() => void silent.close());

  const write = () => at.run(at.hub.networks.ensureNetwork(network, prefixes));

  it("a write that must not pass without it is refused after its timeout, by its name; one that may passes", async () => {
    installWebhook(at, { failurePolicy: "Fail", timeoutSeconds: 1, port });
    // A server hears of a webhook a moment later.
    await eventually(async () => {
      const error = await failureOf(write());
      expect(error).toBeInstanceOf(NotNow);
      expect(error.message).toBe(
        "the hub's webhook 'a.example.com' fails (context deadline exceeded): its administrator has to repair it or its configuration",
      );
    });
    installWebhook(at, { failurePolicy: "Ignore", timeoutSeconds: 1, port });
    await eventually(write);
    expect(await at.run(at.hub.observeAll(["virtual_network"]))).toContainEqual(
      expect.objectContaining({ kind: "Namespace", name: `slipway-${network.name}` }),
    );
  });
}
