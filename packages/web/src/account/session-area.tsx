import { type UserSession, visibleText } from "@stemma/client";
import { useApp } from "../data/app-context";
import { describeInviter } from "../data/describe-inviter";
import { formatTime } from "../data/format";
import { useAction } from "../data/use-action";
import { useResource } from "../data/use-resource";
import { ErrorNotice } from "../shell/error-notice";
import { PEOPLE_STRINGS } from "../strings/people-strings";
import { STRINGS } from "../strings/strings";
import { describeBrowser } from "./describe-browser";

/** Number of sessions that a person may have. */
const MAX_SESSIONS_SHOWN = 100;

/** Sessions of the person, each of which can be ended. */
export function SessionArea() {
	const words = STRINGS.account;
	const { stemma, onSessionEnd } = useApp();
	const list = useResource("sessions", (signal) =>
		stemma.session.list({ limit: MAX_SESSIONS_SHOWN }, { signal }),
	);
	const { reload } = list;
	const end = useAction(async ({ id, current }: UserSession) => {
		await stemma.session.end(id);
		if (current) onSessionEnd();
		else await reload();
	});
	return (
		<section className="panel" aria-label={words.sessions}>
			<h2>{words.sessions}</h2>
			<p className="faint">{words.sessionsLead}</p>
			<ErrorNotice error={list.error ?? end.error} onRetry={() => void reload()} />
			<ul className="people">
				{list.value?.data.map((session) => (
					<SessionRow key={session.id} session={session} onEnd={() => void end.run(session)} />
				))}
			</ul>
		</section>
	);
}

interface SessionRowProps {
	readonly session: UserSession;
	readonly onEnd: () => void;
}

function SessionRow({ session: { current, user_agent, invited_by, last_used_at }, onEnd }: SessionRowProps) {
	const words = STRINGS.account;
	const browser = visibleText(describeBrowser(user_agent) ?? words.unknownBrowser);
	return (
		<li className="row">
			<span className="person break">
				<strong>{browser}</strong>
				{current && ` (${words.thisSession})`}
				<br />
				<span className="small">
					{words.lastUsed(formatTime(last_used_at))}
					{invited_by !== null && ` · ${PEOPLE_STRINGS.byLink(describeInviter(invited_by))}`}
				</span>
			</span>
			<button type="button" aria-label={words.endSession(browser)} onClick={onEnd}>
				{words.end}
			</button>
		</li>
	);
}
