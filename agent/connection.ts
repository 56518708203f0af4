import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Connection } from "../core/ports/kubernetes/connection.ts";
import { parseKubeconfig } from "../core/ports/kubernetes/kubeconfig.ts";

/** The folder in which Kubernetes puts a pod's credentials. */
const serviceAccount = "/var/run/secrets/kubernetes.io/serviceaccount";

/** The hub as a kubeconfig names it: for development. Throws when it cannot be read or used. */
export const fromKubeconfig = (path: string): Connection =>
  parseKubeconfig(readFileSync(path, "utf8"));

/** The hub that the agent runs on, with the rights of its service account. */
export function inCluster(
  { host, port }: { host: string; port: string },
  folder = serviceAccount,
): Connection {
  const read = (name: string) => readFileSync(join(folder, name), "utf8").trim();
  return {
    server: `https://${host.includes(":") ? `[${host}]` : host}:${port}`,
    ca: read("ca.crt"),
    // Read for each request, because the kubelet replaces the token within the hour.
    get token() {
      return read("token");
    },
  };
}
