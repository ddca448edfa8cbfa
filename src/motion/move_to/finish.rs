//! The end of a movement, and news of its target.

use super::{TargetInfo, TargetStatus};
use crate::motion::{MotionError, MovementType, Mover};

impl Mover<'_> {
    /// Ends the movement under way, if any, and stops. The reason stands in the record for whoever looks: nothing is
    /// called back.
    pub(in crate::motion) fn move_to_cancel(&mut self, reason: MotionError) {
        if !self.movement.move_to.is_moving_to() {
            return;
        }
        self.movement.move_to.pending_actions.clear();
        self.move_to_clean_up();
        self.stop_completely();
        self.movement.move_to.ended_by = Some(reason);
    }

    /// Takes back the commands that the movement gave, stops following its target and forgets it.
    pub(super) fn move_to_clean_up(&mut self) {
        let move_to = &self.movement.move_to;
        let (current, hold_key) = (move_to.current_command, move_to.params.hold_key);
        let follows = move_to.top_level_object_id != 0 && move_to.is_moving_to();
        if !current.is_none() {
            let params = self.command_params(1.0, hold_key);
            // The movement is over whether or not the table knew its commands.
            let _ = self.move_to_stop_motion(current, params);
        }
        self.stop_aux_command();
        if follows {
            self.clear_target();
        }
        let now = self.now;
        self.movement.move_to.initialize_local_variables(now);
    }

    /// The target's place was reported: the first report starts the movement, later ones steer it, and a lost target ends
    /// it.
    pub(in crate::motion) fn move_to_handle_update_target(&mut self, info: &TargetInfo) {
        let Some(body) = self.body.as_deref() else {
            return self.move_to_cancel(MotionError::NoPhysicsObject);
        };
        let (own_id, place) = (body.id(), body.position());
        let now = self.now;
        let move_to = &mut self.movement.move_to;
        if info.object_id != move_to.top_level_object_id {
            return;
        }
        if move_to.initialized {
            if info.status != TargetStatus::Ok {
                return self.move_to_cancel(MotionError::ObjectGone);
            }
            if move_to.movement_type == MovementType::MoveToObject {
                move_to.sought_position = info.interpolated_position;
                move_to.current_target_position = info.target_position;
                (move_to.previous_distance, move_to.previous_distance_time) = (f32::MAX, now);
                (move_to.original_distance, move_to.original_distance_time) = (f32::MAX, now);
            }
        } else if move_to.top_level_object_id == own_id {
            move_to.sought_position = place;
            move_to.current_target_position = place;
            self.move_to_clean_up();
            self.stop_completely();
        } else if info.status != TargetStatus::Ok {
            self.move_to_cancel(MotionError::NoObject);
        } else {
            match move_to.movement_type {
                MovementType::MoveToObject => {
                    self.move_to_object_internal(info.target_position, info.interpolated_position);
                }
                MovementType::TurnToObject => self.turn_to_object_internal(info.target_position),
                _ => {}
            }
        }
    }
}
