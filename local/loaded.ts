/**
 * Loads at the start the modules that a function on AWS loads with its first call: a long-lived process
 * has time for them at its start, and simulated time would pass during a later load.
 */
import "../core/ports/certificates/authority.ts";
import "../core/ports/dns/route53/route53.ts";
import "../core/ports/guest/kubernetes/kubernetes.ts";
import "../core/ports/kubernetes/kubeconfig.ts";
import "../core/ports/hub/kubernetes-hub.ts";
import "../core/ports/hub/credentials/hypershift/signing-request.ts";
import "../core/resources/cluster-template/content/fit.ts";
