/**
 * What a function on AWS loads with its first call, a process that lives long loads at its start: nobody
 * waits for it then, and time that is simulated does not pass meanwhile.
 */
import "../core/certificate/authority.ts";
import "../core/dns/route53.ts";
import "../core/guest/kubernetes.ts";
import "../core/hub/kubeconfig.ts";
import "../core/hub/kubernetes.ts";
import "../core/hub/signing-request.ts";
import "../core/template/fit.ts";
