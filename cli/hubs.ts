import { systemClock } from "../core/clock.ts";
import { writeYaml } from "../core/kernel/input/yaml.ts";
import { ownAccount } from "../core/ports/hub/own-account.ts";
import { rightsObjects } from "../core/ports/hub/rights-objects.ts";
import { label } from "../core/ports/kubernetes/schema.ts";
import { agentValues, instructions } from "./agent-values.ts";
import { type CliCall, provider } from "./call.ts";
import { wrongCall } from "./exit.ts";
import { fileText } from "./generic/body.ts";
import { hubToken } from "./hub-token.ts";
import { show } from "./register.ts";
import { checkKubeconfig, type Registration, register } from "./register-hub.ts";

/** `slipway hub rights` and `slipway hub register`. */

export interface RightsOptions {
  name?: string;
  namespace?: string;
}

/** Prints the objects that give Slipway its rights on a hub, for `kubectl apply`. */
export async function printRights({ around, options }: CliCall<RightsOptions>): Promise<undefined> {
  const { name = ownAccount.name, namespace = ownAccount.namespace } = options;
  if (![name, namespace].every((each) => label.safeParse(each).success))
    throw wrongCall("the name and the namespace must be RFC 1123 labels");
  const documents = rightsObjects({ name, namespace }).map(writeYaml);
  around.out.write(documents.join("---\n"));
  return undefined;
}

export interface RegisterOptions {
  name: string;
  /** A file with the kubeconfig. */
  kubeconfig: string;
  region: string;
  capacity?: string;
  baseDomain?: string;
  agentTokenFile?: string;
}

/** Checks that Slipway can use a hub, registers it, and prints the values for the hub agent's chart. */
export async function registerHub(call: CliCall<RegisterOptions>): Promise<undefined> {
  const { around, options } = call;
  const { name, kubeconfig: file, region, capacity, baseDomain, agentTokenFile } = options;
  if (capacity !== undefined && !/^\d+$/.test(capacity))
    throw wrongCall("--capacity must be a number");
  const kubeconfig = fileText(around, file);
  const ownToken =
    agentTokenFile === undefined ? undefined : fileText(around, agentTokenFile).trim();
  const api = provider(call);

  const { checks, clusterUid } = await checkKubeconfig(kubeconfig, systemClock);
  show(checks, around);

  const registration: Registration = {
    ...{ name, kubeconfig, region },
    ...(capacity !== undefined && { capacity: Number(capacity) }),
    ...(baseDomain !== undefined && { base_domain: baseDomain }),
    ...(clusterUid !== undefined && { cluster_uid: clusterUid }),
  };
  const { id, outcome, incomplete } = await register(registration, api);
  around.err.write(`${outcome.padEnd(8)} ${name} (${id})\n`);
  if (incomplete !== undefined) around.err.write(`${incomplete}\n`);
  const token = ownToken ?? (await hubToken(id, api));
  const values = { hub: id, api: api.url, ...(token !== undefined && { token }) };
  around.out.write(agentValues(values));
  around.err.write(`${instructions(token)}\n`);
  return undefined;
}
