import { clusters } from "../../support/matrix/clusters.ts";
import { matrixOf } from "../../support/matrix/inside.ts";

matrixOf(clusters, "cluster-scale");
