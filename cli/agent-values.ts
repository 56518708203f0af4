import { writeYaml } from "../core/kernel/input/yaml.ts";

export interface AgentValues {
  /** The hub's id. */
  hub: string;
  /** The API's URL. */
  api: string;
  /** The agent's token; without it, the operator puts a token into a Secret. */
  token?: string;
}

const secretName = "slipway-hub-agent-token";

/** Values of agent/chart for one hub. */
export function agentValues({ hub, api, token }: AgentValues): string {
  const credentials = token === undefined ? { existingSecret: secretName } : { token };
  return writeYaml({ hub, api: api.replace(/\/+$/, ""), ...credentials });
}

/** The remaining steps, for the operator to read. */
export function instructions(token: string | undefined): string {
  const bring = [
    "Ask your identity provider for a token with the role `agent` and the claim `hub` (or the",
    "subject `hub:<id>`) and put it where the agent finds it:",
    `  kubectl create secret generic ${secretName} --namespace slipway --from-file token=FILE`,
  ];
  return [
    ...(token === undefined ? bring : []),
    "Install the agent on the hub, with the values from standard output in a file:",
    "  helm upgrade --install slipway-hub-agent agent/chart \\",
    "    --namespace slipway --create-namespace --values FILE",
    "The hub is ready when its agent reports: HUB_STATE_READY.",
  ].join("\n");
}
