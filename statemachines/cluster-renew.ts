import { minutes, seconds } from "../core/clock.ts";
import { saga } from "../core/kernel/saga/action.ts";
import { step } from "../core/kernel/saga/saga.ts";
import { forget, isObserved } from "./steps/cluster/guest.ts";
import { renewIngressCertificate } from "./steps/cluster/ingress-certificate.ts";
import { systems } from "./steps/systems.ts";

/** Renews the certificate of a running cluster's ingress. */
export const clusterRenew = saga<"cluster">("cluster-renew", {
  comment: "The ingress of a cluster has a new certificate, or keeps the one that it had",
  nodes: [
    step(
      "RenewIngressCertificate",
      {
        system: systems.hostedCluster,
        act: forget("certificate"),
        look: renewIngressCertificate,
        until: isObserved("certificate"),
        deadline: minutes(60),
        usually: seconds(30),
      },
      { none: "a certificate that was issued and not installed is for the next renewal" },
    ),
  ],
});
