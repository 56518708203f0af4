import { describe } from "vitest";
import { agentsContract } from "../../core/ports/hub/agents/contract.ts";
import { clustersContract } from "../../core/ports/hub/clusters/contract.ts";
import { hubContract } from "../../core/ports/hub/contract.ts";
import { credentialsContract } from "../../core/ports/hub/credentials/contract.ts";
import { signingHub } from "../../core/ports/hub/credentials/hypershift/fixture.ts";
import { kubernetesHub } from "../../core/ports/hub/fixture.ts";
import { hangingWebhookContract } from "../../core/ports/hub/hanging-webhook.ts";
import { networksContract } from "../../core/ports/network/contract.ts";
import { ownedIn } from "../../core/ports/network/ovn-kubernetes/fixture.ts";
import { realServer } from "./fixture.ts";
import type { Oracle } from "./oracle.ts";

/** The contracts of a hub, on a real API server with simulated operators. */
export function contractsOfHub(oracle: () => Oracle): void {
  const open = () => kubernetesHub(realServer(oracle()));

  describe("keeps the contract of hubs", () => hubContract(open));
  describe("keeps the contract of agents", () => agentsContract(open));
  describe("keeps the contract of hosted clusters", () => clustersContract(open));
  describe("keeps the contract of credentials", () =>
    credentialsContract(() => signingHub(realServer(oracle()))));
  describe("has webhooks that hang, and", () => hangingWebhookContract(open));
  describe("keeps the contract of networks", () =>
    networksContract(async () => {
      const at = await open();
      return {
        networks: at.hub.networks,
        run: at.run,
        pass: (milliseconds) => at.clock.advance(milliseconds),
        prepare: async () => {},
        owned: () => ownedIn(at.simulated.cluster),
        close: at.close,
      };
    }));
}
