import { type Deployed, deployFunction, functionNameOf, type Shared } from "./functions.ts";

/** The sender of webhooks, once a minute: outside the network of hubs and sites. */
export function webhooks(shared: Shared): Deployed {
  const { stage } = shared;
  const deployed = deployFunction(shared, "webhooks", {
    description: "sends webhooks what is due",
    seconds: 120,
    megabytes: 512,
    // A long run is joined by a second, which leaves alone what the first is at.
    reserved: 2,
  });
  new aws.lambda.FunctionEventInvokeConfig(
    "WebhookRuns",
    {
      functionName: functionNameOf(stage, "webhooks"),
      maximumRetryAttempts: 0,
      maximumEventAgeInSeconds: 60,
    },
    { dependsOn: [deployed.function] },
  );
  return deployed;
}
