/* SPDX-License-Identifier: MIT OR LGPL-2.1-or-later */
/*
 * Texts that readers of /proc/interrupts have got wrong, and what is right: a
 * line a case, in the form of render.h.
 */
#include <errno.h>
#include <string.h>

#include "../../libirqstat/internal.h"
#include "render.h"
#include "suite.h"

static struct text text;
static struct snapshot snap;
static struct descs descs;

static void setup(void)
{
	memset(&text, 0, sizeof(text));
	memset(&snap, 0, sizeof(snap));
	memset(&descs, 0, sizeof(descs));
}

static void teardown(void)
{
	text_free(&text);
	snapshot_free(&snap);
	descs_free(&descs);
}

static const char *parsed(const char *input)
{
	ck_assert_int_eq(text_parse(&text, input, strlen(input), &snap), 0);
	descs_free(&descs);
	ck_assert_int_eq(text_descs(&text, &descs), 0);
	return render(&snap.pub, &descs.pub);
}

/* The second time it is only compared with what was learned. */
static void expect(const char *input, const char *want)
{
	ck_assert_str_eq(parsed(input), want);
	ck_assert_str_eq(parsed(input), want);
	ck_assert_uint_eq(snap.pub.generation, 1);
}

static void refuse(const char *input, int error)
{
	assert_errno(text_parse(&text, input, strlen(input), &snap), -1, error);
}

#define CPU(n) "CPU" #n "       "
#define H1 "           " CPU(0) "\n"
#define H2 "           " CPU(0) CPU(1) "\n"
#define H4 "           " CPU(0) CPU(1) CPU(2) CPU(3) "\n"

#define CASE(name, input, want)		\
	START_TEST(name)		\
	{				\
		expect(input, want);	\
	}				\
	END_TEST

#define REFUSED(name, input, error)	\
	START_TEST(name)		\
	{				\
		refuse(input, error);	\
	}				\
	END_TEST

/* CPUs that are not there */

CASE(cpu_offline_leaves_a_gap,
     "           " CPU(0) CPU(1) CPU(3) "\n"
     "MCE:          0          0          2   Machine check exceptions\n",
     "MCE \"Machine check exceptions\" 3:2\n")
CASE(cpu_ids_with_holes,
     "           " CPU(0) CPU(1) CPU(4) CPU(5) "\n"
     "  1:          3          4          5          6   IO-APIC   1-edge      i8042\n",
     "1 IO-APIC #1 -edge {i8042} 0:3 1:4 4:5 5:6\n")
CASE(cpu_ids_of_threads_that_are_off,
     "           " CPU(0) CPU(1) CPU(8) CPU(9) "\n"
     "SPU:          0          0          1          2   Spurious interrupts\n",
     "SPU \"Spurious interrupts\" 8:1 9:2\n")
CASE(cpu_is_not_the_column,
     "           " CPU(0) CPU(2) CPU(3) "\n"
     "  9:          1         20        300   IO-APIC   9-fasteoi   acpi\n",
     "9 IO-APIC #9 -fasteoi {acpi} 0:1 2:20 3:300\n")
CASE(cpu_1_alone, "           " CPU(1) "\n  4:          7   IO-APIC   4-edge      ttyS0\n",
     "4 IO-APIC #4 -edge {ttyS0} 1:7\n")
CASE(cpu_of_5_digits,
     "           CPU0       CPU65535   \n  4:          0          7   IO-APIC   4-edge      x\n",
     "4 IO-APIC #4 -edge {x} 65535:7\n")
REFUSED(cpu_beyond_all_machines, "           CPU0       CPU70000   \n", EBADMSG)
REFUSED(cpu_beyond_all_numbers, "           CPU0       CPU99999999999999999999999   \n", EBADMSG)
REFUSED(cpu_twice, "           " CPU(0) CPU(0) "\n", EBADMSG)
REFUSED(cpus_falling, "           " CPU(1) CPU(0) "\n", EBADMSG)

/* Rows that have another width than the header: a CPU went or came in mid-read */

REFUSED(row_wider_than_header,
	H2 "MCE:          0          0          5   Machine check exceptions\n", EAGAIN)
REFUSED(row_wider_than_header_without_text, H2 "EXT:          0          0          5 \n", EAGAIN)
REFUSED(row_wider_than_header_by_10_digits,
	H2 "LOC:          0          0 4000000000   Local timer interrupts\n", EAGAIN)
REFUSED(row_wider_than_header_by_11_digits,
	H2 "LOC:          0          0 40000000000   Local timer interrupts\n", EAGAIN)
REFUSED(row_narrower_than_header, H2 "LOC:          1   Local timer interrupts\n", EAGAIN)
REFUSED(row_narrower_with_chip_of_digits,
	H4 "  5:          1          2          3  4b10000.gpio   5 Edge      9lives\n", EAGAIN)
REFUSED(irq_without_counts, H2 "  5:   IO-APIC   5-edge\n", EAGAIN)
REFUSED(irq_with_one_count, H2 "  5:          1\n", EAGAIN)
REFUSED(named_row_with_one_count_and_blank, H2 "EXT:          1 \n", EAGAIN)
CASE(chip_that_begins_with_digits,
     H2 "  5:          1          2  4b10000.gpio   5 Edge      9lives\n",
     "5 4b10000.gpio #5 Edge {9lives} 0:1 1:2\n")
CASE(chip_of_digits_alone, H2 "  5:          1          2  12345678   5 Edge      x\n",
     "5 12345678 #5 Edge {x} 0:1 1:2\n")

/* Width, missing blanks, counts that fill their column */

CASE(count_of_10_digits_behind_the_colon,
     H2 "IPI0:1000000001 1000000002       Rescheduling interrupts\n"
	"IPI1:        17          5       Function call interrupts\n"
	"Err:          0\n",
     "IPI0 \"Rescheduling interrupts\" 0:1000000001 1:1000000002\n"
     "IPI1 \"Function call interrupts\" 0:17 1:5\n"
     "Err \"\"\n")
CASE(count_of_10_digits_then_9,
     H2 "IPI5:1832000000  356000000       IRQ work interrupts\n",
     "IPI5 \"IRQ work interrupts\" 0:1832000000 1:356000000\n")
CASE(counts_of_10_digits_side_by_side,
     H2 " 30: 4000000000 4000000001   PCI-MSI 65536-edge      a, b\n",
     "30 PCI-MSI #65536 -edge {a}{b} 0:4000000000 1:4000000001\n")
CASE(counts_of_11_digits, H2 "LOC: 12345678901          7   Local timer interrupts\n",
     "LOC \"Local timer interrupts\" 0:12345678901 1:7\n")
CASE(counts_of_20_digits, H2 "LOC: 18446744073709551615 18446744073709551614   Local\n",
     "LOC \"Local\" 0:18446744073709551615 1:18446744073709551614\n")
REFUSED(count_beyond_64_bits, H2 "LOC: 18446744073709551616          7   Local\n", EAGAIN)
CASE(irq_of_4_digits,
     "            " CPU(0) CPU(1) "\n"
     "1023:          1          2   PCI-MSI 2097152-edge      hba0\n"
     " NMI:          0          0   Non-maskable interrupts\n",
     "1023 PCI-MSI #2097152 -edge {hba0} 0:1 1:2\n"
     "NMI \"Non-maskable interrupts\"\n")
CASE(irq_with_more_blanks, H2 "   7:          1          2   IO-APIC    7-edge      parport0\n",
     "7 IO-APIC #7 -edge {parport0} 0:1 1:2\n")
CASE(irq_400, H1 "400:          1   PCI-MSI 1-edge      x\n", "400 PCI-MSI #1 -edge {x} 0:1\n")
CASE(irq_of_10_digits, H1 "4294967295:          1   PCI-MSI 1-edge      x\n",
     "4294967295 PCI-MSI #1 -edge {x} 0:1\n")
CASE(number_beyond_irqs_is_a_name, H1 "4294967296:          1   x\n", "4294967296 \"x\" 0:1\n")
CASE(number_with_zeros_is_a_name, H1 "007:          1   x\n", "007 \"x\" 0:1\n")

/* Names: blanks, commas, colons, digits; chips, triggers and flows */

CASE(action_with_colons_and_blanks,
     H2 "240:          1          2  IR-PCI-MSI 1048576-edge      nic_comp4@pci:0000:01:00.0\n"
	"250:          3          4  IR-PCI-MSI 2097152-edge      disk 0 io5\n",
     "240 IR-PCI-MSI #1048576 -edge {nic_comp4@pci:0000:01:00.0} 0:1 1:2\n"
     "250 IR-PCI-MSI #2097152 -edge {disk 0 io5} 0:3 1:4\n")
CASE(actions_of_a_shared_irq,
     H2 " 44:          2          0   ITS-MSI 20480 Edge      PCIe PME, aerdrv, pciehp\n",
     "44 ITS-MSI #20480 Edge {PCIe PME}{aerdrv}{pciehp} 0:2\n")
CASE(action_of_one_word, H1 " 11:          1     GICv3  27 Level     arch_timer\n",
     "11 GICv3 #27 Level {arch_timer} 0:1\n")
CASE(hwirq_of_7_digits,
     H2 "118:          0          0  MSI-INTA 1700321 Level     40a00000.dma-controller chan6\n",
     "118 MSI-INTA #1700321 Level {40a00000.dma-controller chan6}\n")
CASE(chip_with_colons_action_with_brackets,
     H2 "125:      60001     100002  IR-PCI-MSI-0000:00:17.0   0-edge      ahci[0000:00:17.0]\n"
	" 16:        811          0  xen-percpu    -virq      timer0\n",
     "16 xen-percpu -virq {timer0} 0:811\n"
     "125 IR-PCI-MSI-0000:00:17.0 #0 -edge {ahci[0000:00:17.0]} 0:60001 1:100002\n")
CASE(flow_without_hwirq,
     H2 " 70:         31          0   xen-dyn    -event     vif0-q0-tx\n"
	" 71:          5          0   xen-dyn-lateeoi     -event     vif0-q1-tx\n",
     "70 xen-dyn -event {vif0-q0-tx} 0:31\n"
     "71 xen-dyn-lateeoi -event {vif0-q1-tx} 0:5\n")
CASE(flow_behind_the_chip,
     H2 "  9:          1          2   IO-APIC-fasteoi   acpi\n"
	" 25:          0          7   PCI-MSI-edge      PCIe PME, aerdrv\n"
	" 26:          0          7   IR-PCI-MSI-edge      eth0-rx-0\n"
	" 27:          0          7  xen-pirq-ioapic-level  ohci_hcd:usb2\n"
	" 28:          0          7   xen-dyn-event     eth0\n",
     "9 IO-APIC -fasteoi {acpi} 0:1 1:2\n"
     "25 PCI-MSI -edge {PCIe PME}{aerdrv} 1:7\n"
     "26 IR-PCI-MSI -edge {eth0-rx-0} 1:7\n"
     "27 xen-pirq -ioapic-level {ohci_hcd:usb2} 1:7\n"
     "28 xen-dyn -event {eth0} 1:7\n")
CASE(flow_and_hwirq,
     H2 "  9:          1          2   IO-APIC   9-fasteoi   acpi\n"
	" 25:          0          7   PCI-MSI 81920-edge      PCIe PME, aerdrv, pciehp\n",
     "9 IO-APIC #9 -fasteoi {acpi} 0:1 1:2\n"
     "25 PCI-MSI #81920 -edge {PCIe PME}{aerdrv}{pciehp} 1:7\n")
CASE(flow_behind_the_trigger,
     H2 " 25:          0          7     GICv3  25 Level   -fasteoi   uart\n",
     "25 GICv3 #25 Level -fasteoi {uart} 1:7\n")
CASE(trigger_without_hwirq,
     H2 " 25:          0          7      MIPS  Level     timer\n"
	" 26:          0          7  bcm2708-gpio  Edge      x\n",
     "25 MIPS Level {timer} 1:7\n26 bcm2708-gpio Edge {x} 1:7\n")
CASE(trigger_is_a_word,
     H2 " 25:          0          7      GICv3  31  Level-2 cache\n",
     "25 GICv3 #31 {Level-2 cache} 1:7\n")
CASE(layout_with_chips_on_the_left,
     "            " CPU(0) CPU(1) "\n"
     "   1:          0          9  IO-APIC                     1-edge      i8042\n"
     "  25:          5          0  IR-PCI-MSIX-0000:00:03.0    0-edge      nvme0q0\n"
     "  26:          5          0  dummy                         \n"
     "  27:          5          0  None                            chained\n"
     " NMI:          0          3  Non-maskable interrupts\n"
     "VPMI:          0          3  Perf Guest Mediated PMI\n",
     "1 IO-APIC #1 -edge {i8042} 1:9\n"
     "25 IR-PCI-MSIX-0000:00:03.0 #0 -edge {nvme0q0} 0:5\n"
     "26 dummy 0:5\n"
     "27 None {chained} 0:5\n"
     "NMI \"Non-maskable interrupts\" 1:3\n"
     "VPMI \"Perf Guest Mediated PMI\" 1:3\n")
CASE(chip_with_blanks,
     H2 " 25:          0          7  Crystal Cove PMIC   3-edge      x\n"
	" 26:          0          7  Crystal Cove PMIC      x y\n"
	" 27:          0          7  Crystal Cove PMIC\n",
     "25 Crystal Cove PMIC #3 -edge {x} 1:7\n"
     "26 Crystal Cove PMIC {x y} 1:7\n"
     "27 Crystal Cove PMIC 1:7\n")
CASE(chip_without_name, H2 " 25:          0          7         -   3-edge      x\n",
     "25 - #3 -edge {x} 1:7\n")
CASE(label_with_slash, H2 "I/O:       7001      30002 \n", "I/O \"\" 0:7001 1:30002\n")
CASE(label_with_blank, H2 "A B:       7001      30002 \n", "A B \"\" 0:7001 1:30002\n")
CASE(name_that_is_long,
     H1 " 33:          1   PCI-MSI 327680-edge      a_very_long_driver_name_for_queue_17\n",
     "33 PCI-MSI #327680 -edge {a_very_long_driver_name_for_queue_17} 0:1\n")
CASE(name_that_ends_in_digits,
     H2 "161:          0         42  soc_gpio   9 Edge      pps@9.-1\n",
     "161 soc_gpio #9 Edge {pps@9.-1} 1:42\n")
CASE(name_that_is_missing, H2 " 20:          3          0   IO-APIC  20-fasteoi   (null), b\n",
     "20 IO-APIC #20 -fasteoi {?}{b} 0:3\n")
CASE(name_with_commas, H1 " 20:          3   IO-APIC  20-fasteoi   a,b, c,\n",
     "20 IO-APIC #20 -fasteoi {a,b}{c,} 0:3\n")
CASE(name_of_any_bytes, H1 " 20:          3   IO-APIC  20-fasteoi   ab\xc0\x1c\"\\c\n",
     "20 IO-APIC #20 -fasteoi {ab\xc0\x1c\"\\c} 0:3\n")
CASE(name_with_newline,
     H2 " 20:          3          0   IO-APIC  20-fasteoi   ab\nc\n"
	" 21:          0          1   IO-APIC  21-fasteoi   d\n",
     "20 IO-APIC #20 -fasteoi {ab\nc} 0:3\n21 IO-APIC #21 -fasteoi {d} 1:1\n")
CASE(names_that_are_the_same,
     H1 " 30:          1   PCI-MSI 65536-edge      nvme0q1\n"
	" 31:          2   PCI-MSI 65536-edge      nvme0q1\n",
     "30 PCI-MSI #65536 -edge {nvme0q1} 0:1\n31 PCI-MSI #65536 -edge {nvme0q1} 0:2\n")
CASE(hwirq_cut_to_an_int, H1 " 30:          1   PCI-MSI -2147483648-edge      x\n",
     "30 PCI-MSI #2147483648 -edge {x} 0:1\n")
CASE(hwirq_of_64_bits, H1 " 30:          1   PCI-MSI 18446744073709551615-edge      x\n",
     "30 PCI-MSI #18446744073709551615 -edge {x} 0:1\n")

/* Rows with no or few counts, no chip, no actions */

CASE(fiq_has_no_count, H2 "FIQ:              usb_fiq\nErr:          0\n",
     "FIQ \"usb_fiq\" none\nErr \"\"\n")
CASE(fiq_has_no_count_of_4, H4 "FIQ:              usb_fiq extra\n"
     " 75:          1          0          0          0 \n",
     "75 0:1\nFIQ \"usb_fiq extra\" none\n")
CASE(fiq_and_err_on_one_cpu, H1 "FIQ:              usb_fiq\nERR:          4\n",
     "FIQ \"usb_fiq\" none\nERR \"\" *:4\n")
CASE(chip_without_action, H1 " 75:          1   ARMCTRL \nFIQ:              usb_fiq\nErr:          0\n",
     "75 ARMCTRL 0:1\nFIQ \"usb_fiq\" none\nErr \"\"\n")
CASE(error_rows_are_the_machines, H2 "ERR:          1\nErr:          2\nBAD:          3\nMIS:          4\n",
     "ERR \"\" *:1\nErr \"\" *:2\nBAD \"\" *:3\nMIS \"\" *:4\n")
CASE(error_rows_of_one_cpu, H1 "ERR:          1\nErr:          2\nBAD:          3\nMIS:          4\n",
     "ERR \"\" *:1\nErr \"\" *:2\nBAD \"\" *:3\nMIS \"\" *:4\n")
CASE(error_rows_by_cpu, H2 "ERR:          1          2  PIC/APIC error interrupts\n",
     "ERR \"PIC/APIC error interrupts\" 0:1 1:2\n")
CASE(error_row_by_cpu_of_one, H1 "ERR:          1  PIC/APIC error interrupts\n",
     "ERR \"PIC/APIC error interrupts\" 0:1\n")
CASE(named_row_without_text_on_one_cpu, H1 "EXT:         10 \nI/O:          3\n",
     "EXT \"\" 0:10\nI/O \"\" 0:3\n")
CASE(irq_without_action_but_with_counts, H2 " 20:          3          0     GICv3  40 Level   \n",
     "20 GICv3 #40 Level 0:3\n")
CASE(irq_without_action_and_flow, H2 " 20:          3          0   IO-APIC  20\n",
     "20 IO-APIC #20 0:3\n")

/* Other architectures */

CASE(s390_aggregates,
     H2 "EXT:         10         20 \n"
	"I/O:          3          4 \n"
	"AIO:          0          0 \n"
	"CLK:          6         15   [EXT] Clock Comparator\n"
	"EXC:          4          5   [EXT] External Call\n"
	"DAS:          3          4   [I/O] DASD\n"
	"NMI:          0          1   [NMI] Machine Check\n",
     "EXT \"\" sum 0:10 1:20\n"
     "I/O \"\" sum 0:3 1:4\n"
     "AIO \"\"\n"
     "CLK \"[EXT] Clock Comparator\" 0:6 1:15\n"
     "EXC \"[EXT] External Call\" 0:4 1:5\n"
     "DAS \"[I/O] DASD\" 0:3 1:4\n"
     "NMI \"[NMI] Machine Check\" 1:1\n")
CASE(rows_of_the_same_number,
     H1 "  5:          1   a   1-edge      x\n  5:          2   b   2-edge      y\n"
	"  5:          3   c   3-edge      z\n",
     "5 a #1 -edge {x} 0:1\n5 \"b   2-edge      y\" 0:2\n5 \"c   3-edge      z\" 0:3\n")
CASE(rows_of_the_same_label,
     H1 "IPI:          1   a\nIPI:          2   b\nIPI:          3   c\n",
     "IPI \"a\" 0:1\nIPI \"b\" 0:2\nIPI \"c\" 0:3\n")
CASE(rows_that_do_not_rise, H1 "  9:          1   x\n  5:          2   y\n  7:          3   z\n",
     "5 y 0:2\n7 z 0:3\n9 x 0:1\n")
CASE(softirqs,
     "                    " CPU(0) CPU(1) "\n"
     "          HI:          0          7\n"
     "       TIMER:          1          2\n"
     "      NET_TX:          0          0\n",
     "HI \"\" 1:7\nTIMER \"\" 0:1 1:2\nNET_TX \"\"\n")

/* What is no such text */

REFUSED(text_without_newline, H2 "LOC:          1          2   Local", EBADMSG)
REFUSED(text_that_ends_in_the_header, "           " CPU(0) "CP", EBADMSG)
REFUSED(text_without_header, "  1:          3          4   IO-APIC   1-edge      i8042\n", EBADMSG)
REFUSED(text_with_other_header, "           CPU0       cpu1\n", EBADMSG)
REFUSED(text_with_bare_header, "           CPU\n", EBADMSG)
REFUSED(text_with_empty_header, "           \n", EBADMSG)
REFUSED(text_with_line_before_rows, H2 "nothing\n", EBADMSG)
REFUSED(text_of_newlines, "\n\n\n", EBADMSG)
CASE(header_alone, H2, "")

/* Zero bytes are bytes. */
START_TEST(text_with_zero_bytes)
{
	static const char input[] = H1 "E\0T:          7 \0\nCLK:          7   [E\0T] \0\n"
				       "  5:          1   a\0b   1-edge      x\0y\n\0\n";

	ck_assert_int_eq(text_parse(&text, input, sizeof(input) - 1, &snap), 0);
	ck_assert_int_eq(text_descs(&text, &descs), 0);
	ck_assert_uint_eq(snap.pub.n_rows, 3);
	ck_assert_uint_eq(descs.pub.descs[0].chip.len, 3);
	ck_assert_uint_eq(descs.pub.descs[0].actions[0].len, 5);
	ck_assert_uint_eq(descs.pub.descs[1].label.len, 3);
}
END_TEST

static Suite *text_cases_suite(void)
{
	const TTest *const cases[] = {
		cpu_offline_leaves_a_gap,
		cpu_ids_with_holes,
		cpu_ids_of_threads_that_are_off,
		cpu_is_not_the_column,
		cpu_1_alone,
		cpu_of_5_digits,
		cpu_beyond_all_machines,
		cpu_beyond_all_numbers,
		cpu_twice,
		cpus_falling,
		row_wider_than_header,
		row_wider_than_header_without_text,
		row_wider_than_header_by_10_digits,
		row_wider_than_header_by_11_digits,
		row_narrower_than_header,
		row_narrower_with_chip_of_digits,
		irq_without_counts,
		irq_with_one_count,
		named_row_with_one_count_and_blank,
		chip_that_begins_with_digits,
		chip_of_digits_alone,
		count_of_10_digits_behind_the_colon,
		count_of_10_digits_then_9,
		counts_of_10_digits_side_by_side,
		counts_of_11_digits,
		counts_of_20_digits,
		count_beyond_64_bits,
		irq_of_4_digits,
		irq_with_more_blanks,
		irq_400,
		irq_of_10_digits,
		number_beyond_irqs_is_a_name,
		number_with_zeros_is_a_name,
		action_with_colons_and_blanks,
		actions_of_a_shared_irq,
		action_of_one_word,
		hwirq_of_7_digits,
		chip_with_colons_action_with_brackets,
		flow_without_hwirq,
		flow_behind_the_chip,
		flow_and_hwirq,
		flow_behind_the_trigger,
		trigger_without_hwirq,
		trigger_is_a_word,
		layout_with_chips_on_the_left,
		chip_with_blanks,
		chip_without_name,
		label_with_slash,
		label_with_blank,
		name_that_is_long,
		name_that_ends_in_digits,
		name_that_is_missing,
		name_with_commas,
		name_of_any_bytes,
		name_with_newline,
		names_that_are_the_same,
		hwirq_cut_to_an_int,
		hwirq_of_64_bits,
		fiq_has_no_count,
		fiq_has_no_count_of_4,
		fiq_and_err_on_one_cpu,
		chip_without_action,
		error_rows_are_the_machines,
		error_rows_of_one_cpu,
		error_rows_by_cpu,
		error_row_by_cpu_of_one,
		named_row_without_text_on_one_cpu,
		irq_without_action_but_with_counts,
		irq_without_action_and_flow,
		s390_aggregates,
		rows_of_the_same_number,
		rows_of_the_same_label,
		rows_that_do_not_rise,
		softirqs,
		text_without_newline,
		text_that_ends_in_the_header,
		text_without_header,
		text_with_other_header,
		text_with_bare_header,
		text_with_empty_header,
		text_with_line_before_rows,
		text_of_newlines,
		header_alone,
		text_with_zero_bytes,
		NULL
	};
	Suite *suite = suite_create("text_cases");

	suite_add_with(suite, "cases", cases, setup, teardown);
	return suite;
}

UNIT_SUITE(text_cases_suite);
