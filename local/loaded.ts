/**
 * What a function on AWS loads with its first call, a process that lives long loads at its start: nobody
 * waits for it then, and time that is simulated does not pass meanwhile.
 */
import "../core/ports/certificates/authority.ts";
import "../core/ports/dns/route53/route53.ts";
import "../core/ports/guest/kubernetes/kubernetes.ts";
import "../core/ports/kubernetes/kubeconfig.ts";
import "../core/ports/hub/kubernetes-hub.ts";
import "../core/ports/hub/credentials/hypershift/signing-request.ts";
import "../core/resources/cluster-template/content/fit.ts";
