import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Connection } from "../core/ports/kubernetes/connection.ts";
import { parseKubeconfig } from "../core/ports/kubernetes/kubeconfig.ts";

/** The folder in which Kubernetes puts a pod's credentials. */
const serviceAccount = "/var/run/secrets/kubernetes.io/serviceaccount";

/** The hub as a kubeconfig names it: for development. Throws when it cannot be read or used. */
export const fromKubeconfig = (path: string): Connection =>
  parseKubeconfig(readFileSync(path, "utf8"));

/**
 * The hub that the agent runs on, with the rights of its service account. Throws when the folder lacks a file. The
 * files are read each time, because the kubelet replaces the token within the hour, and the authorities when the
 * cluster gets others.
 */
export function inCluster(
  { host, port }: { host: string; port: string },
  folder = serviceAccount,
): Connection {
  const read = (name: string) => readFileSync(join(folder, name), "utf8").trim();
  // A missing file is noticed at the start.
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
