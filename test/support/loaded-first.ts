// What the product loads with its first use, loaded before any test: a load takes real time, as much as
// the machine pleases, and a virtual clock would run on meanwhile.
import "../../core/ports/certificates/authority.ts";
import "../../core/ports/dns/route53/route53.ts";
import "../../core/ports/guest/kubernetes/kubernetes.ts";
import "../../core/ports/hub/credentials/hypershift/signing-request.ts";
import "../../core/ports/hub/kubernetes-hub.ts";
import "../../core/ports/kubernetes/kubeconfig.ts";
import "../../core/resources/cluster-template/content/fit.ts";
import "../../functions/api/audit-entries.ts";
import "../../functions/api/capacity.ts";
import "../../functions/api/catalog.ts";
import "../../functions/api/events.ts";
import "../../functions/api/invalid-objects.ts";
import "../../functions/api/list/filter.ts";
import "../../functions/api/operations.ts";
import "../../functions/api/owners.ts";
import "../../functions/api/status.ts";
import "../../functions/api/switches.ts";
