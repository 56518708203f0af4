import { writeYaml } from "../../core/kernel/input/yaml.ts";

export interface KubeconfigOptions {
  /** The name of the cluster, the user and the context. */
  name: string;
  /** The server's URL. */
  server: string;
  /** The certificate authority, as PEM. */
  authority: string;
  token: string;
  namespace?: string;
}

/** A kubeconfig for kubectl and other Kubernetes clients. It contains the token, so keep it secret. */
export function kubeconfig({
  name,
  server,
  authority,
  token,
  namespace,
}: KubeconfigOptions): string {
  const data = Buffer.from(authority).toString("base64");
  return writeYaml({
    apiVersion: "v1",
    kind: "Config",
    clusters: [{ name, cluster: { server, "certificate-authority-data": data } }],
    users: [{ name, user: { token } }],
    contexts: [{ name, context: { cluster: name, user: name, ...(namespace && { namespace }) } }],
    "current-context": name,
  });
}
