(* [ARRIVALS], doc/theory/machine.md: how many jobs a half-open window holds.

   Jobs of one task are 0, 1, 2, ... in the order of their nominal releases, which are at least T apart; a release comes at most J after its
   nominal instant. *)

From Coq Require Import Arith Lia List.
Import ListNotations.

Section Task.

Variables T J : nat.
Variables nominal release : nat -> nat.

Hypothesis period : 0 < T.
Hypothesis apart : forall n, nominal n + T <= nominal (S n).
Hypothesis jitter : forall n, nominal n <= release n <= nominal n + J.

Definition eta (D : nat) : nat := (D + J + T - 1) / T. (* ceil((D + J) / T) *)

Lemma far_apart : forall k n, nominal n + k * T <= nominal (n + k).
Proof.
  induction k as [|k IH]; intros n; [replace (n + 0) with n by lia; simpl; lia|].
  replace (n + S k) with (S (n + k)) by lia. assert (A := apart (n + k)). specialize (IH n). rewrite Nat.mul_succ_l. lia.
Qed.

Lemma least_of : forall (l : list nat) x, In x l -> exists a, In a l /\ forall y, In y l -> a <= y.
Proof.
  induction l as [|z l IH]; intros x I; [inversion I|].
  destruct l as [|w l].
  - exists z. split; [left; reflexivity|]. intros y [->|[]]. lia.
  - destruct (IH w (or_introl eq_refl)) as [a [Ia La]].
    destruct (le_lt_dec z a).
    + exists z. split; [left; reflexivity|]. intros y [->|Iy]; [lia|]. specialize (La y Iy). lia.
    + exists a. split; [right; exact Ia|]. intros y [<-|Iy]; [lia|]. exact (La y Iy).
Qed.

(* Whatever different jobs are released in [t, t + D), they are no more than eta. *)
Theorem ARRIVALS : forall t D l, NoDup l -> (forall n, In n l -> t <= release n < t + D) -> length l <= eta D.
Proof.
  intros t D l Different Within.
  destruct l as [|x rest]; [simpl; lia|]. set (l := x :: rest) in *.
  destruct (least_of l x (or_introl eq_refl)) as [a [Ia Least]].
  rewrite <- (seq_length (eta D) a). apply NoDup_incl_length; [exact Different|].
  intros n I. apply in_seq. split; [apply Least; exact I|].
  assert (Wa := Within a Ia). assert (Wn := Within n I). assert (Ja := jitter a). assert (Jn := jitter n).
  assert (La := Least n I).
  assert (Far := far_apart (n - a) a). replace (a + (n - a)) with n in Far by lia.
  assert (Close : (n - a) * T < D + J) by lia.
  assert (n - a < eta D); [|lia].
  unfold eta. apply Nat.lt_le_trans with (n - a + 1); [lia|].
  apply Nat.div_le_lower_bound; [lia|]. rewrite Nat.mul_add_distr_l. rewrite (Nat.mul_comm T (n - a)). lia.
Qed.

End Task.

(* What is assumed can be, and the bound is met: with T = 10 and J = 4 a window of 7 holds two. *)
Example two_at_once : exists release : nat -> nat,
  (forall n, 10 * n <= release n <= 10 * n + 4) /\ NoDup [0; 1] /\ (forall n, In n [0; 1] -> 4 <= release n < 4 + 7) /\ eta 10 4 7 = 2.
Proof.
  exists (fun n => if n =? 0 then 4 else 10 * n). repeat split.
  - destruct (n =? 0) eqn:E; [apply Nat.eqb_eq in E; subst; lia|lia].
  - destruct (n =? 0) eqn:E; [apply Nat.eqb_eq in E; subst; lia|lia].
  - repeat constructor; simpl; intuition discriminate.
  - destruct H as [<-|[<-|[]]]; simpl; lia.
  - destruct H as [<-|[<-|[]]]; simpl; lia.
Qed.

Print Assumptions ARRIVALS.
