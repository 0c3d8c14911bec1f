import { type Invitation, type Role, visibleText } from "@stemma/client";
import { type FormEvent, useId, useState } from "react";
import { useApp } from "../data/app-context";
import { formatTime } from "../data/format";
import { useAction } from "../data/use-action";
import { useResource } from "../data/use-resource";
import { CopyNotice } from "../shell/copy-notice";
import { ErrorNotice } from "../shell/error-notice";
import { STRINGS } from "../strings/strings";
import { RoleSelect } from "./role-select";

const MAX_INVITATIONS_SHOWN = 100;

/** Invitations: a form for another one, its link, and those that nobody has accepted yet. */
export function InvitationArea() {
	const words = STRINGS.members;
	const { stemma } = useApp();
	const { invitations } = stemma;
	const list = useResource("invitations", (signal) =>
		invitations.list({ limit: MAX_INVITATIONS_SHOWN }, { signal }),
	);
	const { reload } = list;
	const [link, setLink] = useState<string>();
	const invite = useAction(async (email: string, role: Role) => {
		setLink(undefined);
		const created = await invitations.create({ email, role });
		setLink(created.link);
		await reload();
	});
	const revoke = useAction(async (id: string) => {
		await invitations.delete(id);
		await reload();
	});
	return (
		<>
			<section className="panel" aria-label={words.invite}>
				<h2>{words.invite}</h2>
				<InviteForm isBusy={invite.isRunning} onInvite={(email, role) => void invite.run(email, role)} />
				<ErrorNotice error={invite.error} />
				{link && <CopyNotice lead={words.link} text={link} />}
			</section>
			<section className="panel" aria-label={words.invitations}>
				<h2>{words.invitations}</h2>
				<ErrorNotice error={list.error ?? revoke.error} onRetry={() => void reload()} />
				{list.value?.data.length === 0 && <p className="faint">{words.noInvitations}</p>}
				<ul className="people">
					{list.value?.data.map((invitation) => (
						<InvitationRow
							key={invitation.id}
							invitation={invitation}
							onRevoke={() => void revoke.run(invitation.id)}
						/>
					))}
				</ul>
			</section>
		</>
	);
}

interface InviteFormProps {
	readonly isBusy: boolean;
	readonly onInvite: (email: string, role: Role) => void;
}

function InviteForm({ isBusy, onInvite }: InviteFormProps) {
	const words = STRINGS.members;
	const id = useId();
	const [role, setRole] = useState<Role>("viewer");
	const submit = (event: FormEvent<HTMLFormElement>) => {
		event.preventDefault();
		onInvite(String(new FormData(event.currentTarget).get("email")).trim(), role);
	};
	return (
		<form className="row grow ends" onSubmit={submit}>
			<div className="field">
				<label htmlFor={`${id}-email`}>{words.email}</label>
				<input id={`${id}-email`} name="email" type="email" required autoComplete="off" />
			</div>
			<div className="field fixed">
				<label htmlFor={`${id}-role`}>{words.role}</label>
				<RoleSelect id={`${id}-role`} role={role} onChange={setRole} />
			</div>
			<button type="submit" className="primary" disabled={isBusy}>
				{words.inviteAction}
			</button>
		</form>
	);
}

interface InvitationRowProps {
	readonly invitation: Invitation;
	readonly onRevoke: () => void;
}

function InvitationRow({ invitation: { email, role, expires_at }, onRevoke }: InvitationRowProps) {
	const words = STRINGS.members;
	return (
		<li className="row">
			<span className="person break">
				<strong>{visibleText(email)}</strong>
				<br />
				<span className="small">
					{STRINGS.app.roles[role]} · {words.expires(formatTime(expires_at))}
				</span>
			</span>
			<button type="button" aria-label={words.revokeOf(visibleText(email))} onClick={onRevoke}>
				{words.revoke}
			</button>
		</li>
	);
}
