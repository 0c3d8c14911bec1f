import { useEffect } from "react";
import { STRINGS } from "../data/strings";
import { ErrorNotice } from "../shell/error-notice";
import { SignInFrame, WaysToSignIn } from "./sign-in-frame";
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
				<p role="status">{STRINGS.app.loading}</p>
			</main>
		);
	return (
		<SignInFrame>
			{state.hasEnded && (
				<p className="notice" role="status">
					{words.ended}
				</p>
			)}
			<ErrorNotice error={state.error} />
			<WaysToSignIn />
		</SignInFrame>
	);
}
