import type { CurrentSession } from "@stemma/client";
import { useEffect } from "react";
import type { StemmaParts } from "../data/stemma";
import { ErrorNotice } from "../shell/error-notice";
import { STRINGS } from "../strings/strings";
import { IssuerButtons } from "./issuer-buttons";
import { PasskeyButton } from "./passkey-button";
import { SignInFrame, WaysToSignIn } from "./sign-in-frame";
import { rememberPage, type SessionState } from "./start-session";

interface SignInPageProps {
	readonly stemma: StemmaParts;
	readonly state: Exclude<SessionState, { status: "signed-in" }>;
	readonly onSignIn: (session: CurrentSession) => void;
}

/** Page for people without a session: a passkey, or how to get a link to sign in with. */
export function SignInPage({ stemma, state, onSignIn }: SignInPageProps) {
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
			<IssuerButtons stemma={stemma} />
			<PasskeyButton stemma={stemma} onSignIn={onSignIn} />
			<WaysToSignIn />
		</SignInFrame>
	);
}
