import { outsideOf } from "../../support/matrix/outside.ts";

outsideOf("cluster-scale");
