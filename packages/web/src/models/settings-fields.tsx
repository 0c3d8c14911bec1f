import { type LlmProvider, visibleText } from "@stemma/client";
import { useId } from "react";
import { STRINGS } from "../data/strings";
import { Field } from "../shell/field";
import { fillIn, findVendor, type SettingsDraft } from "./settings-draft";

interface SettingsFieldsProps {
	readonly draft: SettingsDraft;
	readonly vendors: readonly LlmProvider[];
	readonly hasStoredKey: boolean;
	readonly onChange: (draft: SettingsDraft) => void;
}

/** Fields of the settings. A vendor fills in the others, and any endpoint and model can be typed. */
export function SettingsFields({ draft, vendors, hasStoredKey, onChange }: SettingsFieldsProps) {
	const words = STRINGS.models;
	const id = useId();
	const vendor = findVendor(draft, vendors);
	const chooseVendor = (vendorId: string) => {
		const chosen = vendors.find((one) => one.id === vendorId);
		if (chosen !== undefined) onChange(fillIn(draft, chosen));
	};
	return (
		<div className="fields">
			<Field label={words.vendor} htmlFor={`${id}-vendor`} hint={vendor?.is_local ? words.local : undefined}>
				<select
					id={`${id}-vendor`}
					value={vendor?.id ?? ""}
					onChange={(event) => chooseVendor(event.target.value)}
				>
					<option value="">{words.otherVendor}</option>
					{vendors.map(({ id: vendorId, name }) => (
						<option key={vendorId} value={vendorId}>
							{name}
						</option>
					))}
				</select>
			</Field>
			<Field label={words.provider} htmlFor={`${id}-provider`}>
				<select
					id={`${id}-provider`}
					value={draft.provider}
					onChange={(event) => onChange({ ...draft, provider: event.target.value })}
				>
					{Object.entries(words.providers).map(([provider, name]) => (
						<option key={provider} value={provider}>
							{name}
						</option>
					))}
				</select>
			</Field>
			<Field
				label={words.baseUrl}
				htmlFor={`${id}-url`}
				hint={/<.*>/.test(draft.base_url + draft.model) ? words.baseUrlHint : undefined}
			>
				<input
					id={`${id}-url`}
					type="text"
					inputMode="url"
					required
					spellCheck={false}
					autoComplete="off"
					value={draft.base_url}
					onChange={(event) => onChange({ ...draft, base_url: event.target.value })}
				/>
			</Field>
			<Field label={words.model} htmlFor={`${id}-model`}>
				<input
					id={`${id}-model`}
					required
					spellCheck={false}
					autoComplete="off"
					list={`${id}-models`}
					value={draft.model}
					onChange={(event) => onChange({ ...draft, model: event.target.value })}
				/>
				<datalist id={`${id}-models`}>
					{vendor?.models.map((model) => (
						<option key={model} value={model} />
					))}
				</datalist>
			</Field>
			<KeyField
				id={`${id}-key`}
				draft={draft}
				vendor={vendor}
				hasStoredKey={hasStoredKey}
				onChange={onChange}
			/>
		</div>
	);
}

interface KeyFieldProps extends Omit<SettingsFieldsProps, "vendors"> {
	readonly id: string;
	readonly vendor: LlmProvider | undefined;
}

function KeyField({ id, draft, vendor, hasStoredKey, onChange }: KeyFieldProps) {
	const words = STRINGS.models;
	const hints = [hasStoredKey && words.apiKeyStored, vendor && visibleText(vendor.api_key_hint)].filter(
		Boolean,
	);
	return (
		<Field label={words.apiKey} htmlFor={id} hint={hints.join(" ")}>
			<input
				id={id}
				type="password"
				autoComplete="off"
				spellCheck={false}
				disabled={draft.removesKey}
				value={draft.api_key}
				onChange={(event) => onChange({ ...draft, api_key: event.target.value })}
			/>
			{vendor?.api_key_url && (
				<a href={vendor.api_key_url} target="_blank" rel="noopener noreferrer">
					{words.getKey} ({new URL(vendor.api_key_url).host})
				</a>
			)}
			{hasStoredKey && (
				<label className="choice">
					<input
						type="checkbox"
						checked={draft.removesKey}
						onChange={(event) => onChange({ ...draft, api_key: "", removesKey: event.target.checked })}
					/>
					<span>{words.removeKey}</span>
				</label>
			)}
		</Field>
	);
}
