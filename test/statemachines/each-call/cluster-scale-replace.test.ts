import { clusters } from "../../support/matrix/clusters.ts";
import { eachCallInTurn } from "../../support/matrix/each-call.ts";

await eachCallInTurn(clusters, "cluster-scale", "a host replaced");
