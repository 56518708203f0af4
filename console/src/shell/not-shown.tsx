import { useRouteError } from "react-router";
import { Page } from "../ui/page.tsx";

/** Shown when a page's file cannot be loaded: it is of a former release, or the network is unreachable. */
export function NotShown() {
  const error = useRouteError();
  const why = error instanceof Error ? error.message : String(error);
  return (
    <Page title="This page cannot be shown">
      <p>
        The console may have been released anew since this tab was opened, or its server is not
        reached. Nothing was changed by this.
      </p>
      <p>{why}</p>
      <button type="button" onClick={() => location.reload()}>
        Load it again
      </button>
    </Page>
  );
}
