import { writeYaml } from "../../../../kernel/input/yaml.ts";
import { hostedConnection } from "../../../kubernetes/kubeconfig.ts";

/**
 * A kubeconfig in YAML for the holder of a certificate (PEM). The API server is that of `own`, the
 * hub's kubeconfig of the cluster. It does not contain the private key. Throws Rejected if `own` is
 * not usable.
 */
export function hostedKubeconfig(own: string, certificate: string): string {
  const { server, ca, serverName } = hostedConnection(own);
  const name = new URL(server).hostname;
  const cluster = {
    server,
    ...(ca !== undefined && { "certificate-authority-data": base64(ca) }),
    ...(serverName !== undefined && { "tls-server-name": serverName }),
  };
  return writeYaml({
    apiVersion: "v1",
    kind: "Config",
    clusters: [{ name, cluster }],
    users: [{ name: "admin", user: { "client-certificate-data": base64(certificate) } }],
    contexts: [{ name, context: { cluster: name, user: "admin" } }],
    "current-context": name,
  });
}

const base64 = (text: string): string => Buffer.from(text).toString("base64");
