import { useEffect, useRef, useState } from "react";
import { Link, Outlet, useLocation } from "react-router";
import { Live } from "../live/live.tsx";
import { useReached } from "../live/reach.ts";
import { useSignedIn } from "../session/session.ts";
import { Icon } from "../ui/icon.tsx";
import { type Counts, useCountsOfStaff, useCountsOfTenant } from "./counts.ts";
import { Freshness, Offline } from "./freshness.tsx";
import { Header } from "./header.tsx";
import { Keys } from "./keys.tsx";
import { ofStaff, ofTenants, type Place, placeOf } from "./places.ts";
import styles from "./shell.module.css";

/** The frame of every page: header, navigation, and the age of the shown data. */
export function Shell() {
  const { isStaff } = useSignedIn();
  const places = isStaff ? ofStaff : ofTenants;
  const { pathname } = useLocation();
  const place = placeOf(places, pathname);
  const isReached = useReached();
  const main = useRef<HTMLElement>(null);
  const help = useRef<HTMLDialogElement>(null);
  const [isSearching, setSearching] = useState(false);
  const menu = useMenu(pathname);
  // A screen reader continues at the new page instead of the old link.
  // biome-ignore lint/correctness/useExhaustiveDependencies: with each new path
  useEffect(() => {
    main.current?.focus({ preventScroll: true });
  }, [pathname]);
  const Places = isStaff ? PlacesOfStaff : PlacesOfTenant;
  return (
    <div className={styles.shell}>
      <a className={styles.skip} href="#main">
        Skip to the page
      </a>
      <Header
        place={place}
        menu={menu}
        search={() => setSearching(true)}
        showKeys={() => help.current?.showModal()}
      />
      <nav
        id={menu.id}
        className={`${styles.nav} ${menu.isOpen ? styles.open : ""}`}
        aria-label="Places"
      >
        <Places places={places} place={place} />
        <Freshness />
      </nav>
      <main
        id="main"
        ref={main}
        tabIndex={-1}
        className={`${styles.main} ${isReached ? "" : styles.stale}`}
      >
        <Offline />
        <Outlet />
      </main>
      <Keys {...{ places, help, isSearching, setSearching }} />
      <Live />
    </div>
  );
}

interface PlacesProps {
  places: readonly Place[];
  /** The place of the shown page. */
  place: Place | undefined;
}

const PlacesOfStaff = (props: PlacesProps) => <Places {...props} counts={useCountsOfStaff()} />;
const PlacesOfTenant = (props: PlacesProps) => <Places {...props} counts={useCountsOfTenant()} />;

function Places({ places, place, counts }: PlacesProps & { counts: Counts }) {
  return (
    <ul>
      {places.map((each) => {
        const count = counts.get(each.to);
        return (
          <li key={each.to}>
            <Link to={each.to} aria-current={each === place ? "page" : undefined}>
              <Icon name={each.icon} />
              <span>{each.name}</span>
              {count && (
                <b className={styles[count.tone]} title={`${count.number} ${count.words}`}>
                  {count.number}
                  <span className="unseen"> {count.words}</span>
                </b>
              )}
            </Link>
          </li>
        );
      })}
    </ul>
  );
}

/** The menu button of a narrow screen, which opens the navigation until a page is chosen or Escape is pressed. */
function useMenu(pathname: string) {
  const id = "places";
  const button = useRef<HTMLButtonElement>(null);
  const [isOpen, setOpen] = useState(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: with each new path
  useEffect(() => setOpen(false), [pathname]);
  useEffect(() => {
    if (!isOpen) return;
    const press = ({ key }: KeyboardEvent) => {
      if (key !== "Escape") return;
      setOpen(false);
      button.current?.focus();
    };
    addEventListener("keydown", press);
    return () => removeEventListener("keydown", press);
  }, [isOpen]);
  return { id, button, isOpen, toggle: () => setOpen(!isOpen) };
}

export type Menu = ReturnType<typeof useMenu>;
