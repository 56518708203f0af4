import { clusters } from "../../support/matrix/clusters.ts";
import { eachCallOf } from "../../support/matrix/each-call.ts";

await eachCallOf(clusters, "cluster-networking");
await eachCallOf(clusters, "cluster-renew");
