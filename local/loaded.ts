/**
 * Loads at the start what a function on AWS loads at its first call. A long-lived process has time for it at the start;
 * during a later load, simulated time would pass.
 */
import "../core/ports/certificates/authority.ts";
import "../core/ports/dns/route53/route53.ts";
import "../core/ports/guest/kubernetes/kubernetes.ts";
import "../core/ports/kubernetes/kubeconfig.ts";
import "../core/ports/hub/kubernetes-hub.ts";
import "../core/ports/hub/credentials/hypershift/signing-request.ts";
import "../core/resources/cluster-template/content/fit.ts";
