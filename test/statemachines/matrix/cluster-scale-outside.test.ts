import { clusters } from "../../support/matrix/clusters.ts";
import { outsideOf } from "../../support/matrix/outside.ts";

outsideOf(clusters, "cluster-scale");
