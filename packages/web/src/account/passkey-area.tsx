import { type Passkey, visibleText } from "@stemma/client";
import { type FormEvent, useId, useState } from "react";
import { useApp } from "../data/app-context";
import { describeInviter } from "../data/describe-inviter";
import { useAction } from "../data/use-action";
import { useResource } from "../data/use-resource";
import { addPasskey, describePasskeyError, hasPasskeys } from "../session/passkey-ceremony";
import { ConfirmDialog } from "../shell/confirm-dialog";
import { ErrorNotice } from "../shell/error-notice";
import { PEOPLE_STRINGS } from "../strings/people-strings";
import { STRINGS } from "../strings/strings";
import { describeUse } from "./describe-use";

/** Number above that of passkeys that a person may have. */
const MAX_PASSKEYS_SHOWN = 100;

/** Passkeys of the person: a list, with names to change, and a form for another one. */
export function PasskeyArea() {
	const words = STRINGS.account;
	const { stemma } = useApp();
	const { passkeys } = stemma.session;
	const list = useResource("passkeys", (signal) => passkeys.list({ limit: MAX_PASSKEYS_SHOWN }, { signal }));
	const { reload } = list;
	const [removing, setRemoving] = useState<Passkey>();
	const add = useAction(async (name: string) => {
		await addPasskey(stemma, name);
		await reload();
	});
	const change = useAction(async (perform: () => Promise<unknown>) => {
		await perform();
		await reload();
	});
	return (
		<section className="panel" aria-label={words.passkeys}>
			<h2>{words.passkeys}</h2>
			<p className="faint">{words.passkeysLead}</p>
			<ErrorNotice error={list.error ?? change.error} onRetry={() => void reload()} />
			{list.value?.data.length === 0 && <p>{words.noPasskeys}</p>}
			<ul className="people">
				{list.value?.data.map((passkey) => (
					<PasskeyRow
						key={passkey.id}
						passkey={passkey}
						onRename={(name) => void change.run(() => passkeys.update(passkey.id, { name }))}
						onRemove={() => setRemoving(passkey)}
					/>
				))}
			</ul>
			{hasPasskeys() ? (
				<AddForm isBusy={add.isRunning} onAdd={(name) => void add.run(name)} />
			) : (
				<p className="notice">{words.notSupported}</p>
			)}
			<ErrorNotice error={describePasskeyError(add.error, words.cancelled)} />
			{removing && (
				<ConfirmDialog
					title={words.removeTitle}
					action={words.remove}
					onConfirm={() => void change.run(() => passkeys.delete(removing.id))}
					onClose={() => setRemoving(undefined)}
				>
					{words.removeText(visibleText(removing.name))}
				</ConfirmDialog>
			)}
		</section>
	);
}

interface AddFormProps {
	readonly isBusy: boolean;
	readonly onAdd: (name: string) => void;
}

function AddForm({ isBusy, onAdd }: AddFormProps) {
	const words = STRINGS.account;
	const id = useId();
	const submit = (event: FormEvent<HTMLFormElement>) => {
		event.preventDefault();
		onAdd(readName(event.currentTarget));
		event.currentTarget.reset();
	};
	return (
		<form className="row grow ends" onSubmit={submit}>
			<div className="field">
				<label htmlFor={id}>{words.passkeyName}</label>
				<input id={id} name="name" autoComplete="off" placeholder={words.passkeyNameHint} />
			</div>
			<button type="submit" className="primary" disabled={isBusy}>
				{isBusy ? words.addingPasskey : words.addPasskey}
			</button>
		</form>
	);
}

interface PasskeyRowProps {
	readonly passkey: Passkey;
	readonly onRename: (name: string) => void;
	readonly onRemove: () => void;
}

function PasskeyRow({ passkey, onRename, onRemove }: PasskeyRowProps) {
	const words = STRINGS.account;
	const [isRenaming, setRenaming] = useState(false);
	const name = visibleText(passkey.name);
	const submit = (event: FormEvent<HTMLFormElement>) => {
		event.preventDefault();
		const given = readName(event.currentTarget);
		if (given !== "" && given !== passkey.name) onRename(given);
		setRenaming(false);
	};
	if (isRenaming)
		return (
			<li>
				<form className="row" onSubmit={submit}>
					<input name="name" aria-label={words.passkeyName} defaultValue={passkey.name} required />
					<button type="submit" className="primary">
						{words.save}
					</button>
					<button type="button" onClick={() => setRenaming(false)}>
						{STRINGS.app.cancel}
					</button>
				</form>
			</li>
		);
	return (
		<li className="row">
			<span className="person break" dir="auto">
				<strong>{name}</strong>
				<br />
				<span className="small">{describeUse(passkey)}</span>
				{passkey.invited_by !== null && (
					<span className="small">{` · ${PEOPLE_STRINGS.passkeyByLink(describeInviter(passkey.invited_by))}`}</span>
				)}
			</span>
			<button type="button" aria-label={words.renamePasskey(name)} onClick={() => setRenaming(true)}>
				{words.rename}
			</button>
			<button type="button" className="danger" aria-label={words.removePasskey(name)} onClick={onRemove}>
				{words.remove}
			</button>
		</li>
	);
}

const readName = (form: HTMLFormElement): string => String(new FormData(form).get("name")).trim();
