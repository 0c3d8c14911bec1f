import { type Member, type Passkey, visibleText } from "@stemma/client";
import { useState } from "react";
import { describeUse } from "../account/describe-use";
import { useApp } from "../data/app-context";
import { useAction } from "../data/use-action";
import { useResource } from "../data/use-resource";
import { ConfirmDialog } from "../shell/confirm-dialog";
import { ErrorNotice } from "../shell/error-notice";
import { PEOPLE_STRINGS } from "../strings/people-strings";
import { STRINGS } from "../strings/strings";

/** Number above that of passkeys that a person may have. */
const MAX_PASSKEYS_SHOWN = 100;

/** Passkeys of a member, which an admin removes: of a device that was lost, say. */
export function MemberPasskeys({ member }: { readonly member: Member }) {
	const words = PEOPLE_STRINGS;
	const { passkeys } = useApp().stemma.session;
	const list = useResource(`passkeys ${member.id}`, (signal) =>
		passkeys.list({ limit: MAX_PASSKEYS_SHOWN, user_id: member.id }, { signal }),
	);
	const [removing, setRemoving] = useState<Passkey>();
	const remove = useAction(async (id: string) => {
		await passkeys.delete(id);
		await list.reload();
	});
	const person = visibleText(member.name);
	return (
		<section aria-label={words.passkeysOf(person)}>
			<ErrorNotice error={list.error ?? remove.error} onRetry={() => void list.reload()} />
			{list.value === undefined && list.isLoading && <p role="status">{STRINGS.app.loading}</p>}
			{list.value?.data.length === 0 && <p className="faint">{words.none}</p>}
			<ul className="people">
				{list.value?.data.map((passkey) => (
					<li key={passkey.id} className="row">
						<span className="person break" dir="auto">
							<strong>{visibleText(passkey.name)}</strong>
							<br />
							<span className="small">{describeUse(passkey)}</span>
						</span>
						<button
							type="button"
							className="danger"
							aria-label={words.removePasskeyOf(visibleText(passkey.name), person)}
							onClick={() => setRemoving(passkey)}
						>
							{STRINGS.account.remove}
						</button>
					</li>
				))}
			</ul>
			{removing && (
				<ConfirmDialog
					title={words.removeTitle}
					action={STRINGS.account.remove}
					onConfirm={() => void remove.run(removing.id)}
					onClose={() => setRemoving(undefined)}
				>
					{words.removeText(visibleText(removing.name), person)}
				</ConfirmDialog>
			)}
		</section>
	);
}
