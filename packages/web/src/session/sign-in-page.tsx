import { useEffect } from "react";
import { STRINGS } from "../data/strings";
import { ErrorNotice } from "../shell/error-notice";
import icon from "../shell/icon.svg";
import { rememberPage, type SessionState } from "./start-session";

/** Page for people without a session: how to get a link to sign in with. */
export function SignInPage({ state }: { readonly state: Exclude<SessionState, { status: "signed-in" }> }) {
	const words = STRINGS.signIn;
	useEffect(() => {
		document.title = STRINGS.signIn.title;
		if (state.status === "signed-out") rememberPage();
	}, [state.status]);
	if (state.status === "starting")
		return (
			<main className="page narrow sign-in">
				<p role="status">{state.isSigningIn ? words.signingIn : STRINGS.app.loading}</p>
			</main>
		);
	return (
		<main className="page narrow sign-in">
			<img src={icon} alt="" width="48" height="48" />
			<h1>{words.title}</h1>
			{state.hasEnded && (
				<p className="notice" role="status">
					{words.ended}
				</p>
			)}
			<ErrorNotice error={state.error} title={words.failed} />
			<p>{words.lead}</p>
			<ul>
				<li>{words.invited}</li>
				<li>
					{words.admin}
					<pre>
						<code>{words.command}</code>
					</pre>
				</li>
			</ul>
		</main>
	);
}
