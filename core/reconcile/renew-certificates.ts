import { logged } from "../error.ts";
import type { Deps } from "../kernel/deps.ts";
import { isOf, type Kind } from "../kernel/object/object.ts";
import type { ObjectOf } from "../kernel/object/object-of.ts";
import { isRenewalDue } from "../resources/cluster/ingress-certificate.ts";
import { renewIfDue } from "../resources/cluster/renew.ts";
import { creator } from "../resources/host/care.ts";

/** The most renewals that one sweep of a hub begins; the next sweep begins others. */
const most = 10;

/** Starts the renewals that are due among a hub's recorded objects. A failure of one does not block the others. */
export async function renewCertificates(
  deps: Deps,
  onHub: readonly ObjectOf[Kind][],
): Promise<void> {
  const now = deps.clock.now();
  const due = onHub.filter((each) => isOf("cluster", each) && isRenewalDue(each, now));
  for (const { id } of due.slice(0, most))
    try {
      await renewIfDue(deps, id, creator);
    } catch (thrown) {
      deps.log.warn({ cluster: id, ...logged(thrown) }, "a certificate is not renewed yet");
    }
}
