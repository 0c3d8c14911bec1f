import { lazy, Suspense, useEffect, useMemo, useState } from "react";
import { AskPage } from "./ask/ask-page";
import { AppContext } from "./data/app-context";
import type { StemmaParts } from "./data/stemma";
import { SignInLinkPage } from "./session/sign-in-link-page";
import { SignInPage } from "./session/sign-in-page";
import type { SessionState } from "./session/start-session";
import { AppFrame } from "./shell/app-frame";
import { EmptyState } from "./shell/empty-state";
import { ErrorBoundary } from "./shell/error-boundary";
import { type Route, useRoute } from "./shell/route";
import { STRINGS } from "./strings/strings";

const KnowledgePage = lazy(async () => ({
	default: (await import("./knowledge/knowledge-page")).KnowledgePage,
}));
const AgentsPage = lazy(async () => ({ default: (await import("./agents/agents-page")).AgentsPage }));
const RunsPage = lazy(async () => ({ default: (await import("./runs/runs-page")).RunsPage }));
const ModelsPage = lazy(async () => ({ default: (await import("./models/models-page")).ModelsPage }));
const AccountPage = lazy(async () => ({ default: (await import("./account/account-page")).AccountPage }));
const ConsentPage = lazy(async () => ({
	default: (await import("./authorizations/consent-page")).ConsentPage,
}));
const ConnectedAppsPage = lazy(async () => ({
	default: (await import("./authorizations/connected-apps-page")).ConnectedAppsPage,
}));
const MembersPage = lazy(async () => ({ default: (await import("./members/members-page")).MembersPage }));
const UsagePage = lazy(async () => ({ default: (await import("./usage/usage-page")).UsagePage }));
const SettingsPage = lazy(async () => ({
	default: (await import("./settings/settings-page")).SettingsPage,
}));

const WorkspacesPage = lazy(async () => ({
	default: (await import("./workspaces/workspaces-page")).WorkspacesPage,
}));

interface AppProps {
	readonly stemma: StemmaParts;
	/** Search for the session, which has begun. */
	readonly starting: Promise<SessionState>;
	/** Token of the sign-in link that was opened. */
	readonly token: string | undefined;
}

/** The web app: its pages for whoever is signed in, else the way to sign in. */
export function App({ stemma, starting, token }: AppProps) {
	const [state, setState] = useState<SessionState>({ status: "starting" });
	const [openToken, setOpenToken] = useState(token);
	const route = useRoute();
	useEffect(() => void starting.then(setState), [starting]);
	const context = useMemo(() => {
		if (state.status !== "signed-in") return undefined;
		const { session } = state;
		return { stemma, session, onSessionEnd: () => setState({ status: "signed-out", hasEnded: true }) };
	}, [stemma, state]);
	if (openToken !== undefined && state.status !== "starting")
		return (
			<SignInLinkPage
				stemma={stemma}
				token={openToken}
				session={context?.session}
				onSignIn={(session) => {
					setState({ status: "signed-in", session });
					setOpenToken(undefined);
				}}
				onKeep={() => setOpenToken(undefined)}
			/>
		);
	if (state.status !== "signed-in" || context === undefined)
		return state.status === "signed-in" ? null : (
			<SignInPage
				stemma={stemma}
				state={state}
				onSignIn={(session) => setState({ status: "signed-in", session })}
			/>
		);
	// Whoever decides about an app sees nothing else.
	if (route.page === "authorize")
		return (
			<AppContext.Provider value={context}>
				<Suspense fallback={<p className="page">{STRINGS.app.loading}</p>}>
					<ConsentPage key={route.query} query={route.query} />
				</Suspense>
			</AppContext.Provider>
		);
	return (
		<AppContext.Provider value={context}>
			<AppFrame page={route.page}>
				<ErrorBoundary key={route.page}>
					<Suspense fallback={<p className="page">{STRINGS.app.loading}</p>}>
						<Page route={route} />
					</Suspense>
				</ErrorBoundary>
			</AppFrame>
		</AppContext.Provider>
	);
}

function Page({ route }: { readonly route: Route }) {
	switch (route.page) {
		case "ask":
			return <AskPage threadId={route.threadId} />;
		case "knowledge":
			return <KnowledgePage knowledgeBaseId={route.knowledgeBaseId} />;
		case "agents":
			return <AgentsPage agentId={route.agentId} runId={route.runId} versions={route.versions} />;
		case "runs":
			return <RunsPage runId={route.runId} />;
		case "models":
			return <ModelsPage />;
		case "members":
			return <MembersPage />;
		case "account":
			return <AccountPage />;
		case "apps":
			return <ConnectedAppsPage />;
		case "workspaces":
			return <WorkspacesPage />;
		case "usage":
			return <UsagePage />;
		case "settings":
			return <SettingsPage section={route.section} />;
		default:
			return (
				<div className="page narrow">
					<EmptyState title={STRINGS.app.notFound}>
						<p>{STRINGS.app.notFoundHint}</p>
					</EmptyState>
				</div>
			);
	}
}
