import type { Scope } from "@stemma/client";
import { visibleText } from "@stemma/client";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { useApp } from "../data/app-context";
import { useAction } from "../data/use-action";
import { STRINGS } from "../strings/strings";
import { WorkspaceMenu } from "../workspaces/workspace-menu";
import { ErrorNotice } from "./error-notice";
import icon from "./icon.svg";
import { type Route, toHref } from "./route";
import { ThemeChoice } from "./theme";

interface PageLink {
	readonly page: Exclude<Route["page"], "unknown">;
	/** Scope without which the page is not shown. */
	readonly scope: Scope;
}

/** Pages in their order. */
const PAGES: readonly PageLink[] = [
	{ page: "ask", scope: "ask" },
	{ page: "knowledge", scope: "knowledge:read" },
	{ page: "agents", scope: "agents:run" },
	{ page: "runs", scope: "agents:run" },
	{ page: "models", scope: "settings:read" },
	{ page: "members", scope: "keys:write" },
	{ page: "usage", scope: "settings:read" },
	{ page: "settings", scope: "keys:write" },
	{ page: "workspaces", scope: "deployment:write" },
];

interface AppFrameProps {
	readonly page: Route["page"];
	readonly children: ReactNode;
}

/** Frame of all pages: where to go, who is signed in, and the page itself. */
export function AppFrame({ page, children }: AppFrameProps) {
	const { session } = useApp();
	const main = useRef<HTMLElement>(null);
	const shown = useRef(page);
	useEffect(() => {
		document.title = page === "unknown" ? STRINGS.app.name : `${STRINGS.app[page]} – ${STRINGS.app.name}`;
		// Whoever follows a link by the keyboard goes on in the page that it leads to.
		if (shown.current !== page) main.current?.focus();
		shown.current = page;
	}, [page]);
	return (
		<div className="frame">
			<button type="button" className="skip" onClick={() => main.current?.focus()}>
				{STRINGS.app.skip}
			</button>
			<header className="top">
				<a className="brand" href={toHref("ask")}>
					<img src={icon} alt="" width="26" height="26" />
					<span>{STRINGS.app.name}</span>
				</a>
				<nav aria-label={STRINGS.app.navigation}>
					<ul className="nav">
						{PAGES.filter(({ scope }) => session.scopes.includes(scope)).map((link) => (
							<li key={link.page}>
								<a href={toHref(link.page)} aria-current={link.page === page ? "page" : undefined}>
									{STRINGS.app[link.page]}
								</a>
							</li>
						))}
					</ul>
				</nav>
				<Account />
			</header>
			<main ref={main} tabIndex={-1}>
				{children}
			</main>
		</div>
	);
}

/** Menu with the person, the theme and the way out. */
function Account() {
	const { stemma, session, onSessionEnd } = useApp();
	const { user, workspace, role } = session;
	const menu = useRef<HTMLDetailsElement>(null);
	const signOut = useAction(async (isEverywhere: boolean) => {
		const { end_session_url } = await (isEverywhere ? stemma.session.endAll() : stemma.session.signOut());
		if (end_session_url === undefined) onSessionEnd();
		else globalThis.location.assign(end_session_url);
	});
	const [isOpen, setOpen] = useState(false);
	const close = () => menu.current?.removeAttribute("open");
	return (
		<details
			ref={menu}
			className="menu"
			onToggle={(event) => setOpen(event.currentTarget.open)}
			onKeyDown={(event) => event.key === "Escape" && close()}
			onBlur={(event) => !event.currentTarget.contains(event.relatedTarget) && event.relatedTarget && close()}
		>
			<summary aria-label={STRINGS.app.account}>
				<span className="avatar" aria-hidden="true">
					{[...visibleText(user.name || user.email)][0]?.toUpperCase()}
				</span>
			</summary>
			<div className="menu-panel">
				<p dir="auto">
					<strong>{visibleText(user.name || user.email)}</strong>
					<br />
					<span className="small">{visibleText(user.email)}</span>
				</p>
				<p className="small" dir="auto">
					{visibleText(workspace.name)} · {STRINGS.app.roles[role]}
				</p>
				{isOpen && <WorkspaceMenu />}
				<a href={toHref("account")} onClick={close}>
					{STRINGS.app.accountPage}
				</a>
				<ThemeChoice />
				<a href={toHref("apps")} onClick={close}>
					{STRINGS.app.apps}
				</a>
				<button type="button" onClick={() => void signOut.run(false)}>
					{STRINGS.app.signOut}
				</button>
				<button type="button" onClick={() => void signOut.run(true)}>
					{STRINGS.app.signOutEverywhere}
				</button>
				<ErrorNotice error={signOut.error} />
			</div>
		</details>
	);
}
