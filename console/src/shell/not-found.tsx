import { Link } from "react-router";
import { Page } from "../ui/page.tsx";

export function NotFound() {
  return (
    <Page title="Nothing here">
      <p>
        There is nothing at this address, or you may not see it. <Link to="/">Continue</Link>
      </p>
    </Page>
  );
}
