import { useId } from "react";
import { Link } from "react-router";
import { signOut, useSignedIn } from "../session/session.ts";
import { Icon, Mark } from "../ui/icon.tsx";
import { useTitle } from "../ui/title.ts";
import styles from "./header.module.css";
import type { Place } from "./places.ts";
import type { Menu } from "./shell.tsx";

interface HeaderProps {
  place: Place | undefined;
  menu: Menu;
  search(): void;
  showKeys(): void;
}

/** The top of every page: where one is, the search, and the signed-in person. */
export function Header({ place, menu, search, showKeys }: HeaderProps) {
  return (
    <header className={styles.header}>
      <button
        ref={menu.button}
        type="button"
        className={`plain ${styles.menu}`}
        aria-label="Menu"
        aria-expanded={menu.isOpen}
        aria-controls={menu.id}
        onClick={menu.toggle}
      >
        <Icon name="menu" />
      </button>
      <Link to="/" className={styles.brand} aria-label="Slipway, the first page">
        <Mark />
        <span>Slipway</span>
      </Link>
      <Crumbs place={place} />
      <button type="button" className={styles.search} onClick={search}>
        <Icon name="search" />
        <span>Search or jump to</span>
        <kbd>{isApple() ? "⌘K" : "Ctrl K"}</kbd>
      </button>
      <Person showKeys={showKeys} />
    </header>
  );
}

const isApple = (): boolean => /Mac|iPhone|iPad/.test(navigator.userAgent);

/** The place, and the title of a page below it. */
function Crumbs({ place }: { place: Place | undefined }) {
  const title = useTitle();
  const isBelow = title !== place?.name;
  return (
    <nav className={styles.crumbs} aria-label="Breadcrumb">
      <ol>
        {place && (
          <li>{isBelow ? <Link to={place.to}>{place.name}</Link> : <span>{place.name}</span>}</li>
        )}
        {isBelow && <li aria-current="page">{title}</li>}
      </ol>
    </nav>
  );
}

function Person({ showKeys }: { showKeys(): void }) {
  const { user, tenant, isStaff, mayChange } = useSignedIn();
  const id = useId();
  return (
    <>
      <button type="button" className={styles.person} popoverTarget={id} title={user}>
        <span aria-hidden="true">{user.slice(0, 2).toUpperCase()}</span>
        <span className="unseen">Signed in as {user}</span>
      </button>
      <div id={id} popover="auto" className={styles.card}>
        <p>
          <strong>{user}</strong>
        </p>
        <p className="quiet">{isStaff ? `Provider${mayChange ? "" : ", read only"}` : tenant}</p>
        <div className={styles.actions}>
          <a className="button" href="/docs">
            API reference
          </a>
          <button type="button" popoverTarget={id} popoverTargetAction="hide" onClick={showKeys}>
            Keyboard shortcuts
          </button>
          <button type="button" onClick={signOut}>
            Sign out
          </button>
        </div>
      </div>
    </>
  );
}
