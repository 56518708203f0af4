import { outsideOf } from "../../support/matrix/outside.ts";

outsideOf("cluster-create");
