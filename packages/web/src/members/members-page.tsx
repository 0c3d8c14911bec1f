import { type Member, visibleText } from "@stemma/client";
import { useState } from "react";
import { useApp } from "../data/app-context";
import { useAction } from "../data/use-action";
import { useResource } from "../data/use-resource";
import { ConfirmDialog } from "../shell/confirm-dialog";
import { ErrorNotice } from "../shell/error-notice";
import { PEOPLE_STRINGS } from "../strings/people-strings";
import { STRINGS } from "../strings/strings";
import { InvitationArea } from "./invitation-area";
import { MemberPasskeys } from "./member-passkeys";
import { RoleSelect } from "./role-select";

const MAX_MEMBERS_SHOWN = 100;

/** Page of the people of a workspace, and of those who are invited. */
export function MembersPage() {
	const words = STRINGS.members;
	const { stemma } = useApp();
	const list = useResource("members", (signal) =>
		stemma.members.list({ limit: MAX_MEMBERS_SHOWN }, { signal }),
	);
	const { reload } = list;
	const [removing, setRemoving] = useState<Member>();
	const change = useAction(async (perform: () => Promise<unknown>) => {
		await perform();
		await reload();
	});
	return (
		<div className="page">
			<h1>{words.title}</h1>
			<p className="faint">
				{words.lead} {Object.values(words.roleHints).join(" ")}
			</p>
			<section className="panel" aria-label={words.title}>
				<ErrorNotice error={list.error ?? change.error} onRetry={() => void reload()} />
				{list.value === undefined && list.isLoading && <p role="status">{STRINGS.app.loading}</p>}
				<ul className="people">
					{list.value?.data.map((member) => (
						<MemberRow
							key={member.id}
							member={member}
							onRole={(role) => void change.run(() => stemma.members.update(member.id, { role }))}
							onRemove={() => setRemoving(member)}
						/>
					))}
				</ul>
			</section>
			<InvitationArea />
			{removing && (
				<ConfirmDialog
					title={words.removeTitle}
					action={words.removeAction}
					onConfirm={() => void change.run(() => stemma.members.delete(removing.id))}
					onClose={() => setRemoving(undefined)}
				>
					{words.removeText(visibleText(removing.name))}
				</ConfirmDialog>
			)}
		</div>
	);
}

interface MemberRowProps {
	readonly member: Member;
	readonly onRole: (role: Member["role"]) => void;
	readonly onRemove: () => void;
}

function MemberRow({ member, onRole, onRemove }: MemberRowProps) {
	const words = STRINGS.members;
	const { id, name, email, role } = member;
	const [showsPasskeys, setShowsPasskeys] = useState(false);
	const { session } = useApp();
	const isYou = id === session.user.id;
	const shownName = visibleText(name);
	return (
		<li>
			<div className="row">
				<span className="person" dir="auto">
					<strong>{shownName}</strong>
					{isYou && ` (${words.you})`}
					<br />
					<span className="small break">{visibleText(email)}</span>
				</span>
				<RoleSelect label={words.roleOf(shownName)} role={role} onChange={onRole} />
				{!isYou && (
					<>
						<button
							type="button"
							aria-expanded={showsPasskeys}
							aria-label={PEOPLE_STRINGS.passkeysOf(shownName)}
							onClick={() => setShowsPasskeys(!showsPasskeys)}
						>
							{PEOPLE_STRINGS.passkeys}
						</button>
						<button type="button" className="danger" aria-label={words.remove(shownName)} onClick={onRemove}>
							{words.removeAction}
						</button>
					</>
				)}
			</div>
			{showsPasskeys && <MemberPasskeys member={member} />}
		</li>
	);
}
