/** The phones of the emulator. A phone that is not configured is a mobile phone, and its owner has the given details. */
export interface EmulatedPhone {
  line: 'mobile' | 'landline' | 'fixedVoip' | 'nonFixedVoip'
  /** The hours since the phone's SIM changed, or null for a carrier that does not say it. */
  simSwapHours: number | null
  /** The owner's details, by parameter of a lookup. A parameter that is left out has no data. */
  owner: Readonly<Record<string, string>> | 'anyone'
  /** The error of a new verification. */
  sendError: { code: number; status: number } | null
  /** The error of every package of a lookup. */
  lookupError: number | null
  /** The error of the phone's carrier in a silent verification. */
  carrierError: number | null
}

export const ordinaryPhone: EmulatedPhone = {
  line: 'mobile',
  simSwapHours: 20_000,
  owner: 'anyone',
  sendError: null,
  lookupError: null,
  carrierError: null,
}

/** Phones for a dry run. The numbers are reserved for fiction. */
export const phones: Readonly<Record<string, Partial<EmulatedPhone>>> = {
  '+12025550191': { line: 'landline', sendError: { code: 60205, status: 403 } },
  '+12025550192': { line: 'nonFixedVoip' },
  '+12025550193': { simSwapHours: 1 },
  '+12025550194': { sendError: { code: 60410, status: 403 } },
  '+12025550195': { owner: { FirstName: 'Other', LastName: 'Person', DateOfBirth: '19010101' } },
  '+12025550196': { lookupError: 60610 },
  '+12025550198': { carrierError: 60533 },
  '+12025550199': { sendError: { code: 60200, status: 400 } },
}
