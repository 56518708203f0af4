import { concurrencyQuota, tooFewRuns, wrongSubnets } from "../account.ts";
import { wrongNode } from "../node.ts";
import type { Parameters } from "../parameters.ts";

/** Refuses a deploy that would fail only after half of the stage is created. */
export async function checkAccount(parameters: Parameters): Promise<void> {
  const old = wrongNode(process);
  if (old !== undefined) throw new Error(old);
  // Live functions run on a developer's computer: they have no reserves, and no network is created.
  if ($dev) return;
  const { value: limit } = await aws.servicequotas.getServiceQuota(concurrencyQuota);
  const { network } = parameters;
  const ids = network.vpc === "given" ? network.subnets : [];
  const subnets = await Promise.all(ids.map((id) => aws.ec2.getSubnet({ id })));
  const wrong = tooFewRuns($app.stage, parameters, limit) ?? wrongSubnets(parameters, subnets);
  if (wrong !== undefined) throw new Error(wrong);
}
