import { describe, expect, it } from "vitest";
import { seconds } from "../../../../core/clock.ts";
import { network, prefixes } from "../network/contract.ts";
import { kubernetesHub } from "./fixture.ts";
import { hangingWebhookContract, installWebhook } from "./hanging-webhook.ts";

describe("a webhook of a simulated hub that hangs", () => {
  hangingWebhookContract(kubernetesHub);

  it("may take longer than Slipway waits for what it reads", async () => {
    const at = await kubernetesHub();
    installWebhook(at, { failurePolicy: "Ignore", timeoutSeconds: 30 });
    const began = at.clock.now();
    await at.run(at.hub.networks.ensureNetwork(network, prefixes));
    expect(at.clock.now() - began).toBeGreaterThanOrEqual(seconds(30));
    await at.close();
  });
});
