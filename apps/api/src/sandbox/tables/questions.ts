/** Knowledge questions, three per round. The first answer is correct. Data only. */

export const perRound = 3
export const lastAnswer = 'None of these'

export const questions: readonly { text: string; answers: readonly [string, string, string, string] }[] = [
  {
    text: 'On which of these streets have you lived?',
    answers: ['Juniper Hollow Lane', 'Old Quarry Road', 'Ferry Street', 'Larkspur Avenue'],
  },
  {
    text: 'From which bank did you get an auto loan in 2023?',
    answers: ['Ally', 'Harbor Credit Union', 'First Prairie Bank', 'Toller Motor Finance'],
  },
  {
    text: 'In which county was your previous address?',
    answers: ['Travis County', 'Multnomah County', 'Cobb County', 'Saint Louis County'],
  },
  {
    text: 'Which of these area codes has your phone number had?',
    answers: ['512', '971', '404', '314'],
  },
  {
    text: 'About how high was the limit on your first credit card?',
    answers: ['$1,500', '$500', '$4,000', '$9,000'],
  },
  {
    text: 'Which of these companies has employed you?',
    answers: ['Bluebonnet Logistics', 'Cascade Paperworks', 'Peachtree Dental Group', 'Arch City Brewing'],
  },
  {
    text: 'What color was the car that you registered in 2018?',
    answers: ['Silver', 'Green', 'Orange', 'Yellow'],
  },
  {
    text: 'In which year did you open your oldest credit account?',
    answers: ['2016', '2009', '2013', '2021'],
  },
  {
    text: 'With which of these people have you shared an address?',
    answers: ['Morgan A. Reyes', 'Dale P. Whitcomb', 'Inez Fontaine', 'Tobias Kerr'],
  },
]
