import { X509Certificate } from "node:crypto";
import * as z from "zod";
import type { Order } from "../../../../../support/deployment.ts";
import { kubernetesHub } from "../../fixture.ts";
import type { CredentialsFixture } from "../contract.ts";

const kind = "CertificateSigningRequest";

/** Short-lived credentials, on a hub whose simulated operator signs. */
export async function signingHub(...server: Parameters<typeof kubernetesHub>) {
  const hub = await kubernetesHub(...server);
  const { cluster, hub: simulated } = hub.simulated;
  const trusted = ({ controlPlaneNamespace }: Order) => {
    const name = "customer-system-admin-signer-ca";
    const bundle = cluster.get("ConfigMap", controlPlaneNamespace, name);
    return new X509Certificate(
      z.object({ "ca-bundle.crt": z.string() }).parse(bundle?.data)["ca-bundle.crt"],
    );
  };
  const signer: CredentialsFixture["signer"] = {
    requests: () => cluster.list(kind).length,
    // As Kubernetes does after an hour.
    forgetRequests: () => {
      for (const { metadata } of cluster.list(kind)) cluster.delete(kind, undefined, metadata.name);
    },
    stop: () => simulated.stop(),
    start: () => simulated.start(),
    trusts: (order, certificate) =>
      new X509Certificate(certificate).verify(trusted(order).publicKey),
  };
  return { ...hub, signer };
}
