import { request } from "node:https";
import { parseKubeconfig } from "../core/ports/kubernetes/kubeconfig.ts";

/** Reads one path of the API server that a kubeconfig names, as `kubectl get --raw` does. */
export function getJson(kubeconfig: string, path: string): Promise<unknown> {
  const { server, ca, token, clientCertificate, clientKey } = parseKubeconfig(kubeconfig);
  return new Promise((resolve, reject) => {
    const headers = {
      accept: "application/json",
      ...(token ? { authorization: `Bearer ${token}` } : {}),
    };
    const call = request(
      `${server}${path}`,
      { ca, cert: clientCertificate, key: clientKey, headers },
      (response) => {
        let text = "";
        response.setEncoding("utf8");
        response.on("data", (chunk) => {
          text += chunk;
        });
        response.on("end", () => {
          if (response.statusCode === 200) resolve(JSON.parse(text));
          else reject(new Error(`${path}: ${response.statusCode} ${text}`));
        });
      },
    );
    call.on("error", reject);
    call.end();
  });
}
