import { type CurrentSession, visibleText } from "@stemma/client";
import { useEffect } from "react";
import type { StemmaParts } from "../data/stemma";
import { useAction } from "../data/use-action";
import { ErrorNotice } from "../shell/error-notice";
import { STRINGS } from "../strings/strings";
import { SignInFrame, WaysToSignIn } from "./sign-in-frame";

interface SignInLinkPageProps {
	readonly stemma: StemmaParts;
	/** Token of the link. */
	readonly token: string;
	/** Session that the sign-in would end. */
	readonly session: CurrentSession | undefined;
	readonly onSignIn: (session: CurrentSession) => void;
	/** Goes on with the session that there is. */
	readonly onKeep: () => void;
}

/**
 * Page for whoever opens a sign-in link. The link is redeemed by a click alone: else any page could sign its visitors in as
 * somebody else, by sending them to a link.
 */
export function SignInLinkPage({ stemma, token, session, onSignIn, onKeep }: SignInLinkPageProps) {
	const words = STRINGS.signIn;
	const signIn = useAction(async () => onSignIn(await stemma.session.signIn({ token })));
	useEffect(() => {
		document.title = STRINGS.signIn.title;
	}, []);
	return (
		<SignInFrame>
			{session && <p dir="auto">{words.replaces(describe(session), visibleText(session.workspace.name))}</p>}
			<p>{words.expected}</p>
			<ErrorNotice error={signIn.error} title={words.failed} />
			<p className="row">
				<button
					type="button"
					className="primary"
					disabled={signIn.isRunning}
					onClick={() => void signIn.run()}
				>
					{signIn.isRunning ? words.signingIn : words.signIn}
				</button>
				{session && (
					<button type="button" disabled={signIn.isRunning} onClick={onKeep}>
						{words.keep}
					</button>
				)}
			</p>
			{session === undefined && signIn.error !== undefined && <WaysToSignIn />}
		</SignInFrame>
	);
}

function describe({ user }: CurrentSession): string {
	const email = visibleText(user.email);
	return user.name === "" ? email : `${visibleText(user.name)} (${email})`;
}
