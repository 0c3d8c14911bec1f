import { type Member, type UserSession, visibleText } from "@stemma/client";
import { useId, useState } from "react";
import { useApp } from "../data/app-context";
import { formatTime } from "../data/format";
import { useAction } from "../data/use-action";
import { PAGE_SIZE, useList } from "../data/use-list";
import { useResource } from "../data/use-resource";
import { ConfirmDialog } from "../shell/confirm-dialog";
import { ErrorNotice } from "../shell/error-notice";
import { Field } from "../shell/field";
import { ADMIN_STRINGS } from "../strings/admin-strings";
import { toBrowserName } from "./browser-name";
import { ListedPanel } from "./listed-panel";

/** Sessions of a member, each of which can be ended. */
export function SessionArea() {
	const words = ADMIN_STRINGS.sessions;
	const { stemma, session, onSessionEnd } = useApp();
	const [userId, setUserId] = useState(session.user.id);
	const list = useList(`sessions ${userId}`, (page, signal) =>
		stemma.session.list({ ...page, user_id: userId }, { signal }),
	);
	const [ending, setEnding] = useState<UserSession>();
	const end = useAction(async ({ id, current }: UserSession) => {
		await stemma.session.end(id);
		if (current) onSessionEnd();
		else await list.reload();
	});
	return (
		<>
			<p className="faint">{words.lead}</p>
			<MemberChoice userId={userId} onChange={setUserId} />
			<ListedPanel
				title={ADMIN_STRINGS.settings.names.sessions}
				none={words.none}
				list={list}
				error={end.error}
				renderItem={(one) => <SessionRow key={one.id} session={one} onEnd={() => setEnding(one)} />}
			/>
			{ending && (
				<ConfirmDialog
					title={words.endTitle}
					action={words.end}
					onConfirm={() => void end.run(ending)}
					onClose={() => setEnding(undefined)}
				>
					{ending.current ? words.endOwnText : words.endText}
				</ConfirmDialog>
			)}
		</>
	);
}

interface MemberChoiceProps {
	readonly userId: string;
	readonly onChange: (userId: string) => void;
}

function MemberChoice({ userId, onChange }: MemberChoiceProps) {
	const { stemma } = useApp();
	const id = useId();
	const members = useResource("members of sessions", (signal) =>
		stemma.members.list({ limit: PAGE_SIZE }, { signal }),
	);
	return (
		<div className="fields">
			<Field label={ADMIN_STRINGS.sessions.member} htmlFor={id}>
				<select id={id} value={userId} onChange={(event) => onChange(event.target.value)}>
					{members.value?.data.map((member) => (
						<option key={member.id} value={member.id}>
							{toMemberName(member)}
						</option>
					))}
				</select>
				<ErrorNotice error={members.error} onRetry={() => void members.reload()} />
			</Field>
		</div>
	);
}

const toMemberName = ({ name, email }: Member): string => `${visibleText(name)} (${visibleText(email)})`;

interface SessionRowProps {
	readonly session: UserSession;
	readonly onEnd: () => void;
}

function SessionRow({ session, onEnd }: SessionRowProps) {
	const words = ADMIN_STRINGS.sessions;
	const { user_agent, current, created_at, last_used_at, expires_at } = session;
	const browser = toBrowserName(user_agent) ?? words.unknownBrowser;
	const signedIn = formatTime(created_at);
	return (
		<li className="row">
			<div className="person break">
				<strong>{browser}</strong> {current && <span className="badge">{words.current}</span>}
				<div className="small">
					{words.times(signedIn, formatTime(last_used_at))} · {words.expires(formatTime(expires_at))}
				</div>
			</div>
			<button type="button" className="danger" aria-label={words.endOf(browser, signedIn)} onClick={onEnd}>
				{words.end}
			</button>
		</li>
	);
}
