import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Connection } from "../core/ports/kubernetes/connection.ts";
import { parseKubeconfig } from "../core/ports/kubernetes/kubeconfig.ts";

/** The directory of a pod's service account files. */
const serviceAccount = "/var/run/secrets/kubernetes.io/serviceaccount";

/**
 * The hub of a kubeconfig's current context: for development. Throws if the kubeconfig cannot be read or
 * used.
 */
export const fromKubeconfig = (path: string): Connection =>
  parseKubeconfig(readFileSync(path, "utf8"));

/**
 * The hub that the agent runs on, with the rights of its service account. Throws if a file is
 * missing. The files are read for each use: the kubelet replaces the token within the hour, and the
 * certificate authority may change.
 */
export function inCluster(
  { host, port }: { host: string; port: string },
  folder = serviceAccount,
): Connection {
  const read = (name: string) => readFileSync(join(folder, name), "utf8").trim();
  // Detects a missing file at the start.
  for (const name of ["ca.crt", "token"]) read(name);
  return {
    server: `https://${host.includes(":") ? `[${host}]` : host}:${port}`,
    get ca() {
      return read("ca.crt");
    },
    get token() {
      return read("token");
    },
  };
}
