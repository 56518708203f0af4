import { clusters } from "../../support/matrix/clusters.ts";
import { refusalsOf } from "../../support/matrix/observed.ts";

refusalsOf(clusters, /^cluster-delete, (a READY cluster|one with Kea|one in a)/, {
  "Undo AttachHosts: dhcp.observe says not done": "what it has reserved is read of it, and no more",
});
