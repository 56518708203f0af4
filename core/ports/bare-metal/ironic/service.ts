import type { BareMetalService } from "../service.ts";
import { IronicApi, type IronicApiOptions } from "./api.ts";
import { IronicServer } from "./ironic.ts";

/** OpenStack's bare metal service, of a cloud or on its own. */
export function ironicService(options: IronicApiOptions): BareMetalService {
  const api = new IronicApi(options);
  return {
    server: (node) => new IronicServer(api, node),
    lacks: () => api.lacks(),
  };
}
