/** Stands in for the reader's own code in a snippet. */
export const tellMyServer = (session_id: string): void => console.log(session_id)
export const report = (sub_type: string): void => console.log(sub_type)
export const refresh = async (payment_id: string): Promise<void> => console.log(payment_id)
