import { stringify } from "yaml";
import { hostedConnection } from "../../../kubernetes/kubeconfig.ts";

/**
 * A kubeconfig in YAML for the API that another one, the hub's own, leads to: for the holder of a
 * certificate (PEM), whose key is not in it. Throws Rejected when the other one cannot be used.
 */
export function hostedKubeconfig(own: string, certificate: string): string {
  const { server, ca, serverName } = hostedConnection(own);
  const name = new URL(server).hostname;
  const cluster = {
    server,
    ...(ca !== undefined && { "certificate-authority-data": base64(ca) }),
    ...(serverName !== undefined && { "tls-server-name": serverName }),
  };
  return stringify(
    {
      apiVersion: "v1",
      kind: "Config",
      clusters: [{ name, cluster }],
      users: [{ name: "admin", user: { "client-certificate-data": base64(certificate) } }],
      contexts: [{ name, context: { cluster: name, user: "admin" } }],
      "current-context": name,
    },
    // As tools write it: one line for each.
    { lineWidth: 0 },
  );
}

const base64 = (text: string): string => Buffer.from(text).toString("base64");
