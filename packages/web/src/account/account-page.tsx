import { visibleText } from "@stemma/client";
import { useApp } from "../data/app-context";
import { STRINGS } from "../data/strings";
import { PasskeyArea } from "./passkey-area";
import { SessionArea } from "./session-area";

/** Page of the person who is signed in: passkeys and sessions. */
export function AccountPage() {
	const words = STRINGS.account;
	const { user } = useApp().session;
	return (
		<div className="page">
			<h1>{words.title}</h1>
			<p className="faint break">{words.lead(visibleText(user.email))}</p>
			<PasskeyArea />
			<SessionArea />
		</div>
	);
}
