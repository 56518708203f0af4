import type { BareMetalService } from "../service.ts";
import { IronicApi, type IronicApiOptions } from "./api.ts";
import { IronicServer } from "./ironic.ts";

/** OpenStack's bare metal service, as a part of a cloud or standalone. */
export function ironicService(options: IronicApiOptions): BareMetalService {
  const api = new IronicApi(options);
  return {
    server: (node) => new IronicServer(api, node),
    lacks: () => api.lacks(),
  };
}
