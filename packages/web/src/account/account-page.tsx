import { visibleText } from "@stemma/client";
import { useApp } from "../data/app-context";
import { describeInviter } from "../data/describe-inviter";
import { PEOPLE_STRINGS } from "../strings/people-strings";
import { STRINGS } from "../strings/strings";
import { PasskeyArea } from "./passkey-area";
import { SessionArea } from "./session-area";

/** Page of the person who is signed in: passkeys and sessions. */
export function AccountPage() {
	const words = STRINGS.account;
	const { user, invited_by } = useApp().session;
	return (
		<div className="page">
			<h1>{words.title}</h1>
			<p className="faint break">{words.lead(visibleText(user.email))}</p>
			{invited_by !== null && (
				<p className="notice">{PEOPLE_STRINGS.sessionByLink(describeInviter(invited_by))}</p>
			)}
			<PasskeyArea />
			<SessionArea />
		</div>
	);
}
