import { type AuthorizationPreview, type CurrentSession, visibleText } from "@stemma/client";
import { useEffect, useState } from "react";
import { useApp } from "../data/app-context";
import { useAction } from "../data/use-action";
import { useResource } from "../data/use-resource";
import { ErrorNotice } from "../shell/error-notice";
import icon from "../shell/icon.svg";
import { AUTHORIZATION_STRINGS, describeScope } from "../strings/authorization-strings";
import { STRINGS } from "../strings/strings";
import { readAuthorizationRequest } from "./read-request";
import { useArmed } from "./use-armed";

/**
 * Page on which a person decides whether an app gets access as them. Only a click on it decides; the app is told by the
 * address that the service gives for the decision.
 *
 * @param query - parameters of the app.
 */
export function ConsentPage({ query }: { readonly query: string }) {
	const words = AUTHORIZATION_STRINGS;
	const { stemma, session } = useApp();
	const request = readAuthorizationRequest(query);
	const preview = useResource(`request ${query}`, (signal) =>
		stemma.authorizations.preview(request, { signal }),
	);
	const [isLeaving, setLeaving] = useState(false);
	const isArmed = useArmed(preview.value !== undefined);
	const decide = useAction(async (decision: "allow" | "deny") => {
		const { redirect_to } = await stemma.authorizations.decide({ ...request, decision });
		setLeaving(true);
		leaveTo(redirect_to);
	});
	useEffect(() => {
		document.title = `${STRINGS.app.authorize} – ${STRINGS.app.name}`;
	}, []);
	return (
		<main className="page narrow sign-in">
			<img src={icon} alt="" width="48" height="48" />
			{preview.error !== undefined && <h1>{words.failed}</h1>}
			<ErrorNotice error={preview.error ?? decide.error} />
			{preview.isLoading && <p role="status">{STRINGS.app.loading}</p>}
			{preview.value && <AppDescription preview={preview.value} session={session} />}
			{preview.value && !isLeaving && (
				<p className="row">
					<button
						type="button"
						className="primary"
						disabled={!isArmed || decide.isRunning}
						// The second click of a double click was begun on another page.
						onClick={({ detail }) => detail < 2 && void decide.run("allow")}
					>
						{words.allow}
					</button>
					<button type="button" disabled={decide.isRunning} onClick={() => void decide.run("deny")}>
						{words.deny}
					</button>
				</p>
			)}
			{isLeaving && <p role="status">{words.leaving}</p>}
			{preview.value && <p className="faint">{words.end}</p>}
		</main>
	);
}

interface AppDescriptionProps {
	readonly preview: AuthorizationPreview;
	readonly session: CurrentSession;
}

function AppDescription({ preview, session }: AppDescriptionProps) {
	const words = AUTHORIZATION_STRINGS;
	const { client, redirect_host, scopes, workspace } = preview;
	const name = visibleText(client.name);
	const sentTo = redirect_host === null ? words.sentToComputer : words.sentTo(visibleText(redirect_host));
	return (
		<>
			<h1 dir="auto">{words.title(name)}</h1>
			<p dir="auto">{words.lead(name, visibleText(session.user.email), visibleText(workspace.name))}</p>
			<ul>
				<li>{client.host === null ? words.unchecked : words.checked(visibleText(client.host))}</li>
				<li className="break">
					<strong>{sentTo}</strong>
				</li>
			</ul>
			<p>{words.may}</p>
			<ul>
				{scopes.map((scope) => (
					<li key={scope}>{describeScope(scope)}</li>
				))}
			</ul>
			<p>{words.limits}</p>
			<p className="notice">{words.expected}</p>
		</>
	);
}

/** Leaves the app's page out of the history, so that nobody comes back to a request that was answered. */
function leaveTo(address: string): void {
	const { protocol } = new URL(address);
	if (protocol === "https:" || protocol === "http:") globalThis.location.replace(address);
}
